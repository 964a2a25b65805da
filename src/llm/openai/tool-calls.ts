import type { ToolChoiceRequest, ToolDescription, ToolRequest } from '../../contracts/http/llm';
import type { JsonSchema } from '../../contracts/http/tools';
import { parametersOf } from '../../contracts/tool-schemas';
import { newId } from '../../base/ids';
import { JsonNestingError, parseJson } from '../../base/json/parse';
import { toPath } from '../../tools/argument-problems';
import { isJsonObject } from '../../contracts/json';
import type { ToolChoiceContext } from '../provider';
import type { Answer, CalledFunction } from './answer';
import { toFunctionName, type FunctionNames } from './function-names';
import { type Message, toCallingMessage } from './messages';

/** Up to this number of calls are accepted in one answer. */
const MAX_CALLS = 50;

/** One call as the model made it, and the mistake in it, if any. */
interface ReadCall {
  readonly request: ToolRequest;
  readonly called: CalledFunction;
  readonly problem: string | undefined;
}

export interface ReadCalls {
  readonly calls: readonly ReadCall[];
  /** The mistakes of the answer as a whole, those of the calls included; undefined where there are none. */
  readonly problem: string | undefined;
}

/** Reads and checks the tool calls of an answer; more calls than a sensible model makes are not read. */
export async function readCalls(
  answer: Answer,
  request: ToolChoiceRequest,
  names: FunctionNames,
  context: Pick<ToolChoiceContext, 'check' | 'signal'>,
): Promise<ReadCalls> {
  const { length } = answer.calls;
  if (length > MAX_CALLS)
    return {
      calls: [],
      problem: `it asked for ${length} calls in one response; at most ${MAX_CALLS} are made`,
    };
  const uniqueId = createUniqueIds(request);
  const read = answer.calls.map((called, at) => {
    const isCut = answer.finishReason === 'length' && at === length - 1;
    return readCall({ called, isCut }, uniqueId(called.id), request.tools, names);
  });
  const calls = await Promise.all(read.map((each) => checkCall(each, request.tools, context)));
  const problems = calls.flatMap(({ problem }) => problem ?? []);
  if (calls.length === 0 && request.choice === 'required')
    problems.push('it calls no tool, and one is required');
  return { calls, problem: problems.length === 0 ? undefined : problems.join('; ') };
}

/**
 * Appends an unusable answer and an objection to it. The protocol wants every call answered, so the reply to a call
 * without a mistake says that it was not run.
 */
export function withObjections(messages: readonly Message[], answer: Answer, read: ReadCalls): Message[] {
  if (read.calls.length === 0) {
    const said: Message[] = answer.content === '' ? [] : [{ role: 'assistant', content: answer.content }];
    const objection = `That answer cannot be used: ${read.problem ?? ''}. Answer again.`;
    return [...messages, ...said, { role: 'user', content: objection }];
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
function readCall(
  { called, isCut }: { readonly called: CalledFunction; readonly isCut: boolean },
  id: string,
  tools: readonly ToolDescription[],
  names: FunctionNames,
): ReadCall {
  const toolName = names.toolOf(called.name);
  const tool = tools.find(({ name }) => name === toolName);
  const read = readArguments(called.args, isCut);
  const args = typeof read === 'string' ? {} : read;
  const extra = called.extra === undefined ? {} : { extra: called.extra };
  const invalidCall = (problem: string): ReadCall => ({
    request: { id, toolName: called.name, args, ...extra },
    called,
    problem,
  });
  if (tool === undefined) {
    const known = tools.map(({ name }) => names.functionOf(name)).join(', ');
    return invalidCall(`there is no tool "${called.name.slice(0, 64)}", there is ${known || 'none'}`);
  }
  if (typeof read === 'string') return invalidCall(`the arguments of "${tool.name}" ${read}`);
  const request = { id, toolName: tool.name, args: withoutNulls(args, tool.inputSchema), ...extra };
  return { request, called, problem: undefined };
}

/** Checks the arguments of a call that has no other mistake, and gives it their defaults. */
async function checkCall(
  read: ReadCall,
  tools: readonly ToolDescription[],
  { check, signal }: Pick<ToolChoiceContext, 'check' | 'signal'>,
): Promise<ReadCall> {
  const { request } = read;
  const tool = tools.find(({ name }) => name === request.toolName);
  if (read.problem !== undefined || tool === undefined) return read;
  const checked = await check(tool, request.args, signal);
  if ('args' in checked) return { ...read, request: { ...request, args: checked.args } };
  const problems = checked.problems.map(({ pointer, message }) => `args${toPath(pointer)} ${message}`);
  return { ...read, problem: `of "${tool.name}", ${problems.join('; ')}` };
}

/**
 * Reads arguments. Returns what is wrong with them as a text, as in `are not a JSON object`.
 * Some servers send an empty text for a call without arguments. Where the answer was cut off, they may have been to come.
 */
function readArguments(
  args: CalledFunction['args'],
  isCut: boolean,
): Readonly<Record<string, unknown>> | string {
  if (typeof args !== 'string') return args;
  if (args.trim() === '') return isCut ? 'are not a JSON object' : {};
  try {
    const value = parseJson(args);
    return isJsonObject(value) ? value : 'are not a JSON object';
  } catch (error) {
    return error instanceof JsonNestingError ? `cannot be used: ${error.message}` : 'are not a JSON object';
  }
}

/** Removes null where it stands for an omitted argument, as models send it. */
function withoutNulls(args: Readonly<Record<string, unknown>>, schema: JsonSchema) {
  const parameters = parametersOf(schema);
  const isLeftOut = (name: string, value: unknown): boolean => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return value === null && parameter?.required === false && parameter.type !== 'any';
  };
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => !isLeftOut(name, value)));
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
