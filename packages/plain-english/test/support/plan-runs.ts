import { isPlainEnglishError } from '../../src/errors';
import { queryJson } from '../../src/documents/query';
import { chooseNext } from '../../src/plan/choose-next';
import type { ChatMessage, ToolDescription } from '../../src/types';

/** What the addresses of a case return, by address. */
export type Documents = Readonly<Record<string, unknown>>;

/** The value that a sentence came to, or why it was refused. A call that fails is a refusal too: its caller gets no value. */
export type Outcome = { readonly value: unknown } | { readonly refused: string };

/** More calls than any labelled sentence needs. */
const MAX_CALLS = 12;

/** Runs the plan of a sentence call by call, as the service does, with the documents of the case in place of the network. */
export function runPlan(
  query: string,
  tools: readonly ToolDescription[],
  documents: Documents = {},
): Outcome {
  const messages: ChatMessage[] = [{ role: 'user', content: query }];
  let value: unknown;
  try {
    for (let count = 0; count < MAX_CALLS; count++) {
      const [request] = chooseNext({ messages, tools, choice: 'auto' }).requests;
      if (request === undefined) return { value };
      const output = call(request.toolName, request.args, documents);
      if (output === undefined)
        return { refused: `${request.toolName} failed with ${JSON.stringify(request.args)}` };
      value = request.toolName === 'json_reader' ? (output as { readonly result: unknown }).result : output;
      messages.push({ role: 'assistant', content: '', toolRequests: [request] });
      messages.push({ role: 'tool', requestId: request.id, content: output });
    }
    return { refused: `more than ${MAX_CALLS} calls` };
  } catch (error) {
    if (isPlainEnglishError(error)) return { refused: error.message };
    throw error;
  }
}

/** @returns undefined if the tool would fail */
function call(toolName: string, args: Readonly<Record<string, unknown>>, documents: Documents): unknown {
  const document = documents[String(args['url'])];
  if (toolName === 'calculator') return calculate(args);
  if (toolName === 'json_reader') return read(String(args['jsonString']), String(args['path']));
  return toolName === 'api_call' && document !== undefined ? { status: 200, data: document } : undefined;
}

function calculate({ operation, a, b }: Readonly<Record<string, unknown>>): unknown {
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  const result = { add: a + b, subtract: a - b, multiply: a * b, divide: a / b }[String(operation)];
  return Number.isFinite(result) ? result : undefined;
}

/** As json_reader does: the value of one place, or all values that are found. */
function read(text: string, path: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const found = queryJson(path, document);
  const isOnePlace = /^\$(?:\.[\w-]+|\['(?:[^'\\]|\\.)*'\]|\[-?\d+\])*$/.test(path);
  if (found === undefined || (isOnePlace && found.length === 0)) return undefined;
  return { result: isOnePlace ? found[0] : found };
}
