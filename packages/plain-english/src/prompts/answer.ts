import { applyOperation } from '../calculation/expression';
import { queryJson } from '../documents/query';
import { isPlainEnglishError } from '../errors';
import { type CalculatorOperation, KNOWN_TOOLS } from '../known-tools';
import { understandPrompt } from '../plan/understand';
import type { PlannedStep } from '../reading/reading';
import { parseReference } from '../reading/steps';
import type { ChatMessage } from '../types';

/** `reply with exactly: X`, `repeat: X` */
const REPETITION =
  /^(?:please\s+)?(?:(?:reply|respond|answer|say)(?:\s+(?:only|just))?\s+with(?:\s+exactly)?|(?:repeat|echo)(?:\s+after me|\s+this|\s+the following)?)\s*:\s*/i;

/** The answer to the last user message, from its own text alone; undefined if that takes a language model. */
export function answerPrompt(messages: readonly ChatMessage[]): string | undefined {
  const last = messages.findLast(({ role }) => role === 'user');
  const text = last?.role === 'user' ? last.content.trim() : '';
  const repeated = REPETITION.exec(text)?.[0];
  if (repeated !== undefined) return text.slice(repeated.length).trim() || undefined;
  return answerCalculation(text) ?? answerJson(text);
}

/** `what is 12 times 4`: the number. */
function answerCalculation(text: string): string | undefined {
  const result = resultOf(planned(text, 'calculator'));
  return Number.isFinite(result) ? String(result) : undefined;
}

/** `what is the name in {…}`: the value there. */
function answerJson(text: string): string | undefined {
  const [step, other] = planned(text, 'json_reader');
  if (step?.toolName !== 'json_reader' || other) return undefined;
  const [value, another] =
    queryJson(String(step.args['path']), JSON.parse(String(step.args['jsonString']))) ?? [];
  if (value === undefined || another !== undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function planned(text: string, toolName: string): readonly PlannedStep[] {
  const tools = KNOWN_TOOLS.filter(({ name }) => name === toolName);
  try {
    return understandPrompt(text, tools).steps;
  } catch (error) {
    if (isPlainEnglishError(error)) return [];
    throw error;
  }
}

/** The number in which calculations end; undefined if they go on from something else. */
function resultOf(steps: readonly PlannedStep[]): number | undefined {
  const results: number[] = [];
  for (const { args } of steps) {
    const [a, b] = [args['a'], args['b']].map((value) => {
      const reference = parseReference(value);
      return reference ? results[reference.step - 1] : Number(value);
    });
    if (a === undefined || b === undefined) return undefined;
    results.push(applyOperation(args['operation'] as CalculatorOperation, a, b));
  }
  return results.at(-1);
}
