import { HoldfastError, isHoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import type { AgentAnswer } from '../../src/contracts/http/agent';
import type { Attachment } from '../../src/contracts/http/files';
import type { RunEvent } from '../../src/contracts/http/run-events';
import type { JsonSchema } from '../../src/contracts/http/tools';
import type { CustomWorkflowResult } from '../../src/contracts/http/workflows';
import { NO_USAGE, addUsage } from '../../src/contracts/runs/token-usage';
import { toAgentAnswer } from '../../requests/answers/agent-answer';
import type { ShapedRequest } from '../../requests/shaped-request';
import type { Starting } from '../../requests/starting';
import { StoredJson } from '../../temporal/payloads/stored-json';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { AdmitBytes, StartedRun } from '../../temporal/runs/started-run';
import { parseInput } from '../http/input';
import { type AnswerPiece, followByEvents } from './answer-text';
import type { CallerSession } from './caller';
import { afterOpenCalls } from './caller-calls';
import type { CallerTools } from './caller-tools';
import type { Conversation } from './conversation';
import { namingParams } from './errors';
import { fetchFiles, withoutLink } from './linked-files';
import type { ModelTarget } from './models';
import type { OpenAiContext, OpenAiPorts } from './ports';

/** What a request asks for, as both Chat Completions and Responses have it. */
export interface TurnRequest extends CallerTools {
  readonly target: ModelTarget;
  readonly session: CallerSession;
  readonly conversation: Conversation;
  readonly maxTokens?: number | undefined;
  /** 0 to 2, as OpenAI has it. */
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly responseSchema?: JsonSchema | undefined;
}

/** The answer of a run, of whichever kind. */
export interface Answer {
  readonly text: string;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
  /** Whether it was cut off at its maximum length. */
  readonly isCut: boolean;
  /** Whether the built-in rules gave it. */
  readonly isByRules: boolean;
  /** How long it took from the start of the run; absent if that is not known. */
  readonly tookMs?: number | undefined;
}

export const NO_ANSWER: Answer = { text: '', usage: NO_USAGE, isCut: false, isByRules: true };

/** A request that has become a turn, or the run of a workflow. */
export interface Turn {
  /** The workflow type of its run. */
  readonly type: 'agentTurn' | 'customWorkflow';
  /** Whether the text that its model makes is the answer as it will be. One by a schema may be asked for again. */
  readonly isLive: boolean;
  /** Starts the run, and waits for it as far as the context says. @throws as the request of the run does */
  execute(context: Starting): Promise<Answer>;
}

type Names = Readonly<Record<string, string>>;

/**
 * Makes a run of a request.
 * @param names the protocol's names of the fields of a turn
 * @throws HoldfastError `VALIDATION`; `AGENT_NOT_INITIALIZED` only if the stores cannot be connected
 */
export async function prepareTurn(
  ports: Pick<OpenAiPorts, 'memory' | 'turnSchema' | 'engine' | 'shown' | 'files'>,
  request: TurnRequest,
  names: Names,
  context: OpenAiContext,
): Promise<Turn> {
  const { memory, turnSchema } = ports;
  const { services } = context;
  const { target, conversation } = request;
  context.ignore(conversation.ignored);
  if (target.kind === 'workflow') {
    context.ignore(withoutEffect(request, names));
    const inputs = { [target.input]: conversation.query };
    const type = 'customWorkflow';
    const { custom } = services.runs;
    return {
      type,
      isLive: false,
      execute: async (starting) =>
        readAnswer(type, await custom.run({ workflow: target.workflow, inputs }, starting), starting.admit),
    };
  }
  const { configuration } = memory;
  // The stores in use are those that `POST /api/agent/initialize` takes for an empty body.
  if (!(await configuration.isInitialized('agent')))
    await configuration.initialize('agent', {}, { replace: false, signal: context.signal() });
  const definition =
    target.agent === undefined ? undefined : (await services.agents.get(target.agent)).definition;
  // Clients name a temperature whatever the model is. That of an agent stays.
  const isFixed = definition?.temperature !== undefined && request.temperature !== undefined;
  if (isFixed) context.ignore(['temperature']);
  const effective = isFixed ? { ...request, temperature: undefined } : request;
  const shape = (attachments: readonly Attachment[]): Promise<ShapedRequest> =>
    namingParams(names, () => buildRequest(turnSchema, attachments, effective));
  // Nothing is fetched for a request that is refused.
  await shape(conversation.attachments.map(withoutLink));
  const shaped = await shape(await fetchFiles(conversation.attachments, ports.files, context));
  const { agent } = services.runs;
  const execute = async (starting: Starting): Promise<Answer> =>
    readAgentAnswer(toAgentAnswer(await agent.execute(shaped, starting), shaped.options));
  const responseSchema = request.responseSchema ?? definition?.responseSchema;
  return {
    type: 'agentTurn',
    isLive: responseSchema === undefined,
    execute: (starting) => namingParams(names, () => afterOpenCalls(() => execute(starting), ports, context)),
  };
}

function buildRequest(
  turnSchema: OpenAiPorts['turnSchema'],
  attachments: readonly Attachment[],
  request: TurnRequest,
): ShapedRequest {
  const { target, session, conversation, maxTokens, temperature, topP, responseSchema } = request;
  const { callerTools, withoutTools, mustCall } = request;
  const { userId, sessionId, isNamed } = session;
  const { query, instructions, earlier } = conversation;
  const body = {
    query,
    options: {
      userId,
      sessionId,
      ...(target.kind === 'agent' && target.agent !== undefined ? { agent: target.agent } : {}),
      ...(isNamed ? {} : { includeMemoryContext: false }),
      ...(attachments.length === 0 ? {} : { attachments }),
      instructions,
      responseSchema,
      maxTokens,
      topP,
      ...(withoutTools ? { tools: [] } : {}),
      ...(callerTools.length === 0 ? {} : { callerTools }),
    },
  };
  const parsed = parseInput(turnSchema, body, 'body') as ShapedRequest;
  return {
    ...parsed,
    options: { ...parsed.options, temperature },
    ...(isNamed ? {} : { remember: false }),
    ...(earlier.length === 0 ? {} : { earlier }),
    ...(mustCall ? { mustCall } : {}),
  };
}

/** A workflow takes the last message alone. */
function withoutEffect({ conversation, ...request }: TurnRequest, names: Names): string[] {
  const fields = {
    'options.maxTokens': request.maxTokens,
    'options.temperature': request.temperature,
    'options.topP': request.topP,
    'options.responseSchema': request.responseSchema,
    'options.instructions': conversation.instructions,
    'options.attachments': conversation.attachments[0],
    'options.earlier': conversation.earlier[0],
    'options.callerTools': request.callerTools[0],
  };
  return Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : (names[field] ?? field),
  );
}

/** Makes a context that keeps which run its request has started. */
export function notingRun<C extends Starting>(
  context: C,
): { readonly starting: C; run(): StartedRun | undefined } {
  let run: StartedRun | undefined;
  const noteRun = (started: StartedRun): void => {
    run = started;
    context.noteRun(started);
  };
  return { starting: { ...context, noteRun }, run: () => run };
}

/** Starts the run of a turn without waiting for it. @throws as `execute` does, unless the run exists and is open */
export async function startTurn(turn: Turn, context: OpenAiContext): Promise<StartedRun> {
  const { starting, run } = notingRun({ ...context, waitMs: 0 });
  try {
    await turn.execute(starting);
  } catch (error) {
    if (run() === undefined || !isStillOpen(error)) throw error;
  }
  const started = run();
  if (started === undefined) throw new HoldfastError('INTERNAL', 'A turn has started no run');
  return started;
}

/** Whether a request has no answer because its run works on, or waits for a person. Pure. */
export function isStillOpen(error: unknown): boolean {
  return isHoldfastError(error) && ['RUN_STILL_GOING', 'RUN_PAUSED'].includes(error.code);
}

interface FollowedTurn extends Pick<Turn, 'isLive'> {
  /** The workflow type of the run. */
  readonly type: string;
}

/** Follows what a run says. */
export function followTurn(
  feeds: RunFeeds,
  run: StartedRun,
  { type, isLive }: FollowedTurn,
  context: Pick<OpenAiContext, 'admit' | 'signal'>,
): {
  readonly pieces: AsyncGenerator<AnswerPiece, void>;
  /** Undefined until the run has completed. */ answer(): Answer | undefined;
} {
  let answer: Answer | undefined;
  const readText = async ({ result }: RunEvent): Promise<string> => {
    answer = await readAnswer(type, result, context.admit);
    return answer.text;
  };
  const pieces = followByEvents(feeds, isLive, readText)(run, context.signal());
  return { pieces, answer: () => answer };
}

/** The approvals that a run waits for, if that is why its request has no answer. Pure. */
export function approvalsIn(error: unknown): readonly Approval[] | undefined {
  if (!isHoldfastError(error) || error.code !== 'RUN_PAUSED') return undefined;
  return (error.details as { readonly approvals: readonly Approval[] }).approvals;
}

/**
 * Reads the answer of a run.
 * @param type the workflow type of the run
 * @param data as the response has it that waits for the run; a large one is read from its store
 */
export async function readAnswer(type: string, data: unknown, admit: AdmitBytes): Promise<Answer> {
  if (type === 'agentTurn') return readAgentAnswer(data as AgentAnswer);
  return readWorkflowAnswer(
    (data instanceof StoredJson ? await data.load(admit) : data) as CustomWorkflowResult,
  );
}

function readAgentAnswer({ response, usage, finishReason, metadata }: AgentAnswer): Answer {
  const { promptTokens, completionTokens } = usage ?? NO_USAGE;
  return {
    text: response,
    usage: { promptTokens, completionTokens },
    isCut: finishReason === 'length',
    isByRules: metadata?.provider === 'builtin',
    tookMs: metadata?.executionTime,
  };
}

/** The answer of a workflow is the result of the step that ended last. */
function readWorkflowAnswer({ results }: CustomWorkflowResult): Answer {
  const outcomes = Object.values(results);
  const result = outcomes.at(-1)?.result;
  return {
    text: typeof result === 'string' ? result : JSON.stringify(result ?? null),
    usage: outcomes.flatMap(({ usage }) => usage ?? []).reduce(addUsage, NO_USAGE),
    isCut: outcomes.at(-1)?.finishReason === 'length',
    isByRules: true,
  };
}
