import { isHoldfastError } from '../../../errors';
import { calculatorDeclaration } from '../../../tools/builtin/declarations';
import { MAX_QUERY_LENGTH, understand } from '../plan/understand';
import { parseReference, type PlannedStep } from '../plan/step';
import { cleanNumber } from '../text/quantity';
import type { Prompt } from './prompt';

/** `what is 12 times 4`: the number. */
export function answerCalculation({ whole }: Prompt): string | undefined {
  if (whole.length > MAX_QUERY_LENGTH) return undefined;
  try {
    const result = run(understand(whole, [calculatorDeclaration]).steps);
    return result === undefined ? undefined : String(result);
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

function run(steps: readonly PlannedStep[]): number | undefined {
  const results: number[] = [];
  const valueOf = (value: unknown): number => {
    const reference = parseReference(value);
    return reference ? (results[reference.step - 1] ?? Number.NaN) : Number(value);
  };
  for (const { args } of steps) {
    results.push(apply(String(args['operation']), valueOf(args['a']), valueOf(args['b'])));
  }
  const last = results.at(-1);
  return last !== undefined && Number.isFinite(last) ? cleanNumber(last) : undefined;
}

function apply(operation: string, a: number, b: number): number {
  if (operation === 'add') return a + b;
  if (operation === 'subtract') return a - b;
  return operation === 'multiply' ? a * b : a / b;
}
