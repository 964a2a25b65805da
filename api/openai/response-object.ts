import type {
  FunctionTool,
  Response,
  ResponseOutputMessage,
  ResponseStatus,
} from 'openai/resources/responses/responses';
import type { CallerTool } from '../../src/contracts/http/caller-tools';
import type { RunError } from '../../src/contracts/http/run-events';
import { timeOfRunId } from '../../temporal/runs/young-run';
import type { HandedItem } from './handed-over';
import type { ResponseRequest } from './response-request';
import type { Answer } from './turn';

/** What a response repeats of its request. The run keeps it, so that any API process describes it alike. */
export type ResponseNote = Pick<
  Response,
  | 'background'
  | 'conversation'
  | 'instructions'
  | 'max_output_tokens'
  | 'metadata'
  | 'model'
  | 'previous_response_id'
  | 'safety_identifier'
  | 'temperature'
  | 'text'
  | 'tool_choice'
  | 'tools'
  | 'top_p'
> & {
  /** What system and developer messages of its conversation say, up to its own; absent: nothing. */
  readonly systemText?: string | undefined;
  /** The pseudonym of the user whose response it is; absent: the request has named no user. */
  readonly owner?: string | undefined;
  /** As in `Turn`. */
  readonly isLive: boolean;
};

/** What responses have of parameters without an effect here: the defaults of OpenAI's API. */
const WITHOUT_EFFECT = {
  frequency_penalty: 0,
  max_tool_calls: null,
  parallel_tool_calls: true,
  presence_penalty: 0,
  prompt_cache_key: null,
  reasoning: null,
  service_tier: 'default',
  // A run is always kept.
  store: true,
  top_logprobs: 0,
  truncation: 'disabled',
} as const;

/** A part of a run: it ends with a question to the caller, which is a call that the caller runs or an approval, or with the run. */
export interface ResponsePart {
  readonly runId: string;
  /** From 1. */
  readonly part: number;
}

/** How far a response has come. */
export interface ResponseState {
  readonly status: ResponseStatus;
  /** Present if it is complete, or was cut off. */
  readonly answer?: Answer | undefined;
  /** Present if it ends with a question to the caller. */
  readonly handed?: HandedItem | undefined;
  /** Present if it failed. */
  readonly error?: RunError | undefined;
}

/** What a run keeps of a note: the tools, which may be long, are in its input. */
export type KeptNote = Omit<ResponseNote, 'tools'> & { readonly hasTools?: true | undefined };

/** Pure. */
export function toKeptNote({ tools, ...note }: ResponseNote): KeptNote {
  return { ...note, ...(tools.length === 0 ? {} : { hasTools: true }) };
}

/** Pure. @param callerTools those that the run has in its input */
export function toNote({ hasTools: _, ...note }: KeptNote, callerTools: readonly CallerTool[]): ResponseNote {
  return { ...note, tools: callerTools.map(toFunction) };
}

function toFunction({ name, description, inputSchema }: CallerTool): FunctionTool {
  return { type: 'function', name, description, parameters: inputSchema, strict: null };
}

/** Pure. @param known what is known of the run besides */
export function noteOf(
  request: ResponseRequest,
  { owner, isLive, systemText }: Pick<ResponseNote, 'owner' | 'isLive' | 'systemText'>,
): ResponseNote {
  const { text } = request;
  return {
    model: request.model,
    background: request.background,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? null,
    previous_response_id: request.previous_response_id ?? null,
    safety_identifier: request.safety_identifier ?? null,
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    text: { format: (text?.format ?? { type: 'text' }) as NonNullable<Response['text']>['format'] },
    tool_choice: request.tool_choice,
    tools: request.callerTools.map(toFunction),
    conversation: request.conversation ?? null,
    owner,
    isLive,
    systemText,
  };
}

/** Builds the id of a response. Pure. */
export function responseId({ runId, part }: ResponsePart): string {
  return part === 1 ? `resp_${runId}` : `resp_${runId}_${part}`;
}

/** The message of a response, with its text so far. Pure. */
export function outputMessage(
  runId: string,
  status: ResponseOutputMessage['status'],
  text?: string,
): ResponseOutputMessage {
  const content =
    text === undefined ? [] : [{ type: 'output_text' as const, text, annotations: [], logprobs: [] }];
  return { id: `msg_${runId}`, type: 'message', role: 'assistant', status, content };
}

/** Builds a response as it is at a moment. Pure. */
export function buildResponse(
  { runId, part }: ResponsePart,
  { owner: _owner, isLive: _isLive, systemText: _systemText, ...note }: ResponseNote,
  { status, answer, handed, error }: ResponseState,
): Omit<Response, 'output_text' | 'usage'> & { readonly usage: Response['usage'] | null } {
  const isCut = status === 'incomplete';
  const begunAt = timeOfRunId(runId) ?? 0;
  return {
    ...WITHOUT_EFFECT,
    ...note,
    ...(part === 1 ? {} : { previous_response_id: responseId({ runId, part: part - 1 }) }),
    id: responseId({ runId, part }),
    object: 'response',
    created_at: toSeconds(begunAt),
    completed_at: answer?.tookMs === undefined ? null : toSeconds(begunAt + answer.tookMs),
    status,
    error: error === undefined ? null : { code: 'server_error', message: `${error.code}: ${error.message}` },
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output:
      answer === undefined
        ? handed === undefined
          ? []
          : [handed]
        : [outputMessage(runId, isCut ? 'incomplete' : 'completed', answer.text)],
    usage: answer === undefined ? null : usageOf(answer),
  };
}

/** The status of a complete response. Pure. */
export function endStatus({ isCut }: Answer): ResponseStatus {
  return isCut ? 'incomplete' : 'completed';
}

function usageOf({ usage: { promptTokens, completionTokens } }: Answer): NonNullable<Response['usage']> {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + completionTokens,
  };
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
