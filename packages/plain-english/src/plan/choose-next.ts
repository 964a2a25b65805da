import { isObject } from '../text/json-text';
import type { PlannedStep, StepOutput, StepReference } from '../reading/reading';
import { notUnderstood, parseReference } from '../reading/steps';
import { shown } from '../text/shown';
import type { ChatMessage, ToolChoiceRequest, ToolParameters, ToolRequest } from '../types';
import { understand, understandFor } from './understand';

export interface Choice {
  readonly content: string;
  readonly requests: readonly ToolRequest[];
}

/** Longest value shown in a sentence, characters. */
const SHOWN_LENGTH = 2_000;

/**
 * The next call of the plan for the last user message, or what the last call gave when all are done. Nothing is kept
 * between calls: the plan is made again, and the results in the messages say how far it has come.
 */
export function chooseNext({ messages, tools, choice }: ToolChoiceRequest): Choice {
  const { query, results } = progressOf(messages);
  const failure = results.find(({ failed }) => failed);
  if (failure)
    return {
      content: `The call of ${failure.toolName} failed: ${shown(failure.output, SHOWN_LENGTH)}`,
      requests: [],
    };
  const only = choice === 'required' && tools.length === 1 ? tools[0] : undefined;
  const { steps } = only ? understandFor(query, only) : understand(query, tools, results);
  const step = steps[results.length];
  if (!step) return { content: conclude(results.at(-1)), requests: [] };
  const { toolName } = step;
  const outputs = results.map((result, index) => ({ ...result, ...steps[index] }));
  const parameters = tools.find(({ name }) => name === toolName)?.parameters ?? {};
  const args = resolveStep(step, outputs, parameters);
  // Unique in a conversation, as its messages only grow.
  const id = `builtin-${messages.length}-${results.length + 1}`;
  return { content: '', requests: [{ id, toolName, args }] };
}

function conclude(last: Result | undefined): string {
  if (!last) return '';
  const source = last.toolName === '' ? '' : ` of ${last.toolName}`;
  return `The result${source} is ${shown(last.output, SHOWN_LENGTH)}.`;
}

interface Result extends StepOutput {
  readonly failed: boolean;
}

/** The last thing that the user said, and the results of the calls asked for since, in order. */
function progressOf(messages: readonly ChatMessage[]): { query: string; results: readonly Result[] } {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const last = messages[start];
  const after = messages.slice(start + 1);
  const requests = after.flatMap((message) =>
    message.role === 'assistant' ? (message.toolRequests ?? []) : [],
  );
  const names = new Map(requests.map(({ id, toolName }) => [id, toolName]));
  const results = after.flatMap((message): Result[] => {
    if (message.role !== 'tool') return [];
    const toolName = names.get(message.requestId) ?? '';
    return [{ toolName, output: message.content, failed: message.failed === true }];
  });
  return { query: last?.role === 'user' ? last.content : '', results };
}

/**
 * The arguments of a step with the outputs of earlier steps in place of the references.
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` if a reference leads nowhere
 */
function resolveStep(
  { toolName, args }: PlannedStep,
  outputs: readonly StepOutput[],
  parameters: ToolParameters,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const reference = parseReference(value);
    const raw = reference ? follow(reference, outputs, toolName) : value;
    resolved[name] = reference ? fit(raw, parameters[name]?.type) : raw;
  }
  return resolved;
}

function follow({ step, path }: StepReference, outputs: readonly StepOutput[], toolName: string): unknown {
  const source = outputs[step - 1];
  let value =
    source?.toolName === 'json_reader' && isObject(source.output) ? source.output['result'] : source?.output;
  for (const name of path) {
    const message = `The output of step ${step} has no "${name}", which ${toolName} needs.`;
    if (!isObject(value) || !Object.hasOwn(value, name)) throw notUnderstood(message, { toolName });
    value = value[name];
  }
  return value;
}

/** A text parameter takes other values as JSON; a number that came as text is read, and one that is alone in an object. */
function fit(value: unknown, type: string | undefined): unknown {
  if (type === 'string') return typeof value === 'string' ? value : JSON.stringify(value);
  if (type !== 'number' && type !== 'integer') return value;
  if (typeof value === 'string')
    return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  const numbers = isObject(value) ? Object.values(value).filter((item) => typeof item === 'number') : [];
  return numbers.length === 1 ? numbers[0] : value;
}
