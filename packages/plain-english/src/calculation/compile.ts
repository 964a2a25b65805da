import { calculate, type PlannedStep } from '../reading/step';
import { NoCalculation } from './cursor';
import type { Expression } from './expression';

/** More calculations than this in one sentence are a text that happens to be full of numbers. */
const MAX_STEPS = 50;

/**
 * The calculator's calls for expressions, innermost first; each subtree that is used twice is calculated once.
 * @param before how many calls of the plan come first
 * @param earlier the reference to the output of the last of these
 */
export function compileExpressions(
  results: readonly Expression[],
  before: number,
  earlier: string,
): readonly PlannedStep[] {
  const steps: PlannedStep[] = [];
  const done = new Map<Expression, string>();
  const valueOf = (expression: Expression): number | string => {
    if (expression.kind === 'number') return expression.value;
    if (expression.kind === 'percent') return expression.share;
    if (expression.kind === 'earlier') return earlier;
    const known = done.get(expression);
    if (known !== undefined) return known;
    const step = calculate(expression.operation, valueOf(expression.a), valueOf(expression.b));
    if (steps.length >= MAX_STEPS) throw new NoCalculation('there are too many calculations');
    steps.push(step);
    const reference = `{{${before + steps.length}}}`;
    done.set(expression, reference);
    return reference;
  };
  results.forEach(valueOf);
  return steps;
}
