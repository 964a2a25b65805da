import { isPlainEnglishError } from '../../src/errors';
import { queryJson } from '../../src/json/query';
import { chooseNext } from '../../src/plan/choose-tools';
import type { ChatMessage, ToolDescription } from '../../src/types';

/** The calls that a sentence led to, with what each gave. */
export type RunPlan =
  | { readonly calls: readonly { readonly toolName: string; readonly output: unknown }[] }
  | { readonly refused: string };

/** What the addresses of a case return, by address. */
export type Documents = Readonly<Record<string, unknown>>;

/** More calls than any labelled sentence needs. */
const MAX_CALLS = 12;

/**
 * Runs the plan of a sentence call by call, as the service does: the calculator and json_reader calculate and read, api_call
 * returns a document of the case. A call that fails ends the run as a refusal, because its caller gets no result.
 */
export function runPlan(
  query: string,
  tools: readonly ToolDescription[],
  documents: Documents = {},
): RunPlan {
  const messages: ChatMessage[] = [{ role: 'user', content: query }];
  const calls: { toolName: string; output: unknown }[] = [];
  try {
    while (calls.length < MAX_CALLS) {
      const { requests } = chooseNext({ messages, tools, choice: 'auto' });
      const [request] = requests;
      if (request === undefined) return { calls };
      const { id, toolName, args } = request;
      const output = call(toolName, args, documents);
      if (output === undefined) return { refused: `${toolName} failed with ${JSON.stringify(args)}` };
      calls.push({ toolName, output });
      messages.push({ role: 'assistant', content: '', toolRequests: [request] });
      messages.push({ role: 'tool', requestId: id, content: output });
    }
    return { refused: `more than ${MAX_CALLS} calls` };
  } catch (error) {
    if (isPlainEnglishError(error) && error.code === 'QUERY_NOT_UNDERSTOOD')
      return { refused: error.message };
    throw error;
  }
}

/** @returns undefined where the tool would fail */
function call(toolName: string, args: Readonly<Record<string, unknown>>, documents: Documents): unknown {
  if (toolName === 'calculator') {
    const { operation, a, b } = args;
    if (typeof a !== 'number' || typeof b !== 'number') return undefined;
    const result = { add: a + b, subtract: a - b, multiply: a * b, divide: a / b }[String(operation)];
    return Number.isFinite(result) ? result : undefined;
  }
  if (toolName === 'json_reader') return read(String(args['jsonString']), String(args['path']));
  if (toolName === 'api_call') {
    const document = documents[String(args['url'])];
    return document === undefined ? undefined : { status: 200, data: document };
  }
  return undefined;
}

/** As json_reader does: the value of one place, or all values that are found. @returns undefined where it would fail */
function read(text: string, path: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const found = queryJson(path, document);
  if (found === undefined) return undefined;
  const isOnePlace = /^\$(?:\.[\w-]+|\['(?:[^'\\]|\\.)*'\]|\[-?\d+\])*$/.test(path);
  if (!isOnePlace) return { result: found };
  return found.length === 0 ? undefined : { result: found[0] };
}
