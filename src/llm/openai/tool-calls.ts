import type { ToolChoiceRequest, ToolDescription, ToolRequest } from '../../contracts/http/llm';
import { newId } from '../../base/ids';
import { isJsonObject, type JsonObject } from '../../contracts/json';
import type { ArgumentProblem } from '../../tools/argument-check';
import { toPath } from '../../tools/argument-problems';
import type { ToolChoiceContext } from '../provider';
import type { Answer, CalledFunction } from './answer';
import { schemaForModels } from '../schema-for-models';
import { toFunctionName, type FunctionNames } from './function-names';
import { readLeadingJson } from './json-in-text';
import { type Message, toCallingMessage, withObjection } from './messages';
import { repairArguments } from './repair-arguments';
import { readTextCalls, type TextCalls, withoutFences } from './text-calls';

/** Up to this number of calls are accepted in one answer. */
const MAX_CALLS = 50;

/** One call as the model made it, and the mistake in it, if any. */
interface ReadCall {
  readonly request: ToolRequest;
  readonly called: CalledFunction;
  readonly problem: string | undefined;
}

export interface ReadCalls {
  /** The answer that was read, without the text that was taken for calls. */
  readonly answer: Answer;
  readonly calls: readonly ReadCall[];
  /** The mistakes of the answer as a whole, those of the calls included; undefined if there are none. */
  readonly problem: string | undefined;
}

interface Reading extends Pick<ToolChoiceContext, 'check' | 'signal'> {
  readonly names: FunctionNames;
}

/**
 * Reads and checks the tool calls of an answer, which may stand in its text if tools were offered; more calls than a
 * sensible model makes are not read.
 */
export async function readCalls(
  answer: Answer,
  request: ToolChoiceRequest,
  reading: Reading,
): Promise<ReadCalls> {
  const inText = answer.calls.length > 0 ? { calls: [] } : readText(answer, request, reading.names);
  const all = answer.calls.length > 0 ? answer.calls : inText.calls;
  // Text that was taken for calls is no text any more, so that it is not repeated as one.
  const common = { answer: inText.calls.length > 0 ? { ...answer, content: '' } : answer };
  const { length } = all;
  if (length > MAX_CALLS)
    return {
      ...common,
      calls: [],
      problem: `it asked for ${length} calls in one response; at most ${MAX_CALLS} are made`,
    };
  const uniqueId = createUniqueIds(request);
  const calls: ReadCall[] = [];
  for (const [at, called] of all.entries()) {
    const isCut = answer.finishReason === 'length' && at === length - 1;
    calls.push(await readCall({ called, isCut }, uniqueId(called.id), request.tools, reading));
  }
  const problems = calls.flatMap(({ problem }) => problem ?? []);
  if (length === 0) problems.push(...describeLack(answer, request, inText));
  return { ...common, calls, problem: problems.length === 0 ? undefined : problems.join('; ') };
}

/** Reads the calls in the text of an answer. What a required call of the only tool has as JSON may be its arguments. */
function readText(
  { content }: Answer,
  { tools, choice }: ToolChoiceRequest,
  names: FunctionNames,
): TextCalls {
  const [tool, ...others] = tools;
  if (tool === undefined) return { calls: [] };
  const read = readTextCalls(content, (name) => names.toolOf(name) !== undefined);
  const isAnswer = read.calls.length === 0 && read.problem === undefined;
  if (!isAnswer || choice !== 'required' || others.length > 0) return read;
  const json = readLeadingJson(withoutFences(content));
  if (!isJsonObject(json?.value) || json.rest.trim() !== '') return read;
  return { calls: [{ id: '', name: names.functionOf(tool.name), args: json.value }] };
}

/** Describes why an answer without calls cannot be used. */
function describeLack(
  { finishReason }: Answer,
  { choice }: ToolChoiceRequest,
  { problem }: TextCalls,
): string[] {
  if (problem !== undefined) return [finishReason === 'length' ? `${problem} (it was cut off)` : problem];
  if (finishReason === 'failed call') return ['the server could not read its call'];
  return choice === 'required' ? ['it calls no tool, and one is required'] : [];
}

/**
 * Appends an unusable answer and an objection to it. The protocol wants every call answered, so the reply to a call
 * without a mistake says that it was not run.
 */
export function withObjections(messages: readonly Message[], { answer, ...read }: ReadCalls): Message[] {
  if (read.calls.length === 0) {
    const objection = `That answer cannot be used: ${read.problem ?? ''}. Answer again.`;
    return withObjection(messages, answer.content, objection);
  }
  return [
    ...messages,
    // Names that OpenAI refuses and unreadable arguments are not repeated, because servers check the conversation too.
    toCallingMessage(
      answer,
      read.calls.map(({ request, called }) => ({ request, name: toFunctionName(called.name) })),
    ),
    ...read.calls.map(({ request, problem }): Message => ({
      role: 'tool',
      tool_call_id: request.id,
      content: JSON.stringify({ failed: true, error: objectionTo(problem) }),
    })),
  ];
}

function objectionTo(problem: string | undefined): string {
  return problem === undefined
    ? 'Not run, because another call is invalid. Make all calls again.'
    : `Not run: ${problem}. Make all calls again, correctly.`;
}

/** @param answered the call, and whether the answer may have been cut off within it */
async function readCall(
  { called, isCut }: { readonly called: CalledFunction; readonly isCut: boolean },
  id: string,
  tools: readonly ToolDescription[],
  { names, check, signal }: Reading,
): Promise<ReadCall> {
  const toolName = names.toolOf(called.name);
  const tool = tools.find(({ name }) => name === toolName);
  const extra = called.extra === undefined ? {} : { extra: called.extra };
  const toCall = (name: string, args: JsonObject, problem?: string): ReadCall => ({
    request: { id, toolName: name, args, ...extra },
    called,
    problem,
  });
  if (tool === undefined) {
    const known = tools.map(({ name }) => names.functionOf(name)).join(', ');
    const problem = `there is no tool "${called.name.slice(0, 64)}", there is ${known || 'none'}`;
    return toCall(called.name, isJsonObject(called.args) ? called.args : {}, problem);
  }
  // If an answer was cut off, the arguments may have been to come.
  const isMissing = isCut && typeof called.args === 'string' && called.args.trim() === '';
  const repaired = isMissing ? 'are not a JSON object' : repairArguments(called.args, schemaForModels(tool));
  if (typeof repaired === 'string')
    return toCall(tool.name, {}, `the arguments of "${tool.name}" ${repaired}`);
  const checked = await check(tool, repaired, signal);
  if ('args' in checked) return toCall(tool.name, checked.args);
  return toCall(tool.name, repaired, checked.problems.map((one) => describe(tool, one)).join('; '));
}

function describe({ name }: ToolDescription, { pointer, message }: ArgumentProblem): string {
  return `of "${name}", args${toPath(pointer)} ${message}`;
}

/** Makes ids that are present and unique within a conversation; some servers count from 0 in every answer. */
function createUniqueIds({ messages }: ToolChoiceRequest): (id: string) => string {
  const taken = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolRequests ?? []).map(({ id }) => id) : [],
    ),
  );
  return (id) => {
    const unique = id === '' || taken.has(id) ? `call_${newId()}` : id;
    taken.add(unique);
    return unique;
  };
}
