import type { ToolChoiceRequest, ToolRequest } from '../types';
import { readProgress } from './conversation';
import { resolveStep } from './resolve-step';
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
  const { query, results } = readProgress(messages);
  const failure = results.find(({ failed }) => failed);
  if (failure)
    return { content: `The call of ${failure.toolName} failed: ${show(failure.output)}`, requests: [] };
  const only = choice === 'required' && tools.length === 1 ? tools[0] : undefined;
  const { steps } = only ? understandFor(query, only) : understand(query, tools, results);
  const step = steps[results.length];
  if (!step) return { content: conclude(results.at(-1)), requests: [] };
  const outputs = results.map((result, index) => ({
    ...result,
    toolName: steps[index]?.toolName ?? result.toolName,
  }));
  const parameters = tools.find(({ name }) => name === step.toolName)?.parameters ?? {};
  const args = resolveStep(step, outputs, parameters);
  return {
    content: '',
    requests: [{ id: requestId(messages.length, results.length), toolName: step.toolName, args }],
  };
}

/** Unique in a conversation, as its messages only grow. */
function requestId(messages: number, step: number): string {
  return `builtin-${messages}-${step + 1}`;
}

function conclude(last: { readonly toolName: string; readonly output: unknown } | undefined): string {
  if (!last) return '';
  return last.toolName === ''
    ? `The result is ${show(last.output)}.`
    : `The result of ${last.toolName} is ${show(last.output)}.`;
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
