import type { PlannedStep } from '../plan/step';
import { ArithmeticProblem } from './cursor';
import type { Expression } from './expression';

/** How the steps of calculations reach what is outside them. */
export interface CompileContext {
  /** How many steps there are before. */
  readonly firstStep: number;
  /** The reference to the output of an earlier step. */
  earlier(back: number): string;
  /** The reference to a named part of earlier data, or the step that reads it. */
  readField(words: readonly string[]): PlannedStep | string;
}

/** More calculations than this in one sentence are a text that happens to be full of numbers. */
const MAX_STEPS = 100;

/** The calculator's calls for expressions, innermost first; each subtree that is used twice is calculated once. */
export function compileExpressions(results: readonly Expression[], context: CompileContext): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const done = new Map<Expression, string>();
  const add = (step: PlannedStep): string => {
    if (steps.length >= MAX_STEPS)
      throw new ArithmeticProblem('there are too many calculations', undefined, true);
    steps.push(step);
    return `{{${context.firstStep + steps.length}}}`;
  };
  const fieldOf = (words: readonly string[]): string => {
    const part = context.readField(words);
    return typeof part === 'string' ? part : add(part);
  };
  const valueOf = (expression: Expression): number | string => {
    switch (expression.kind) {
      case 'number':
        return expression.value;
      case 'percent':
        return expression.share;
      case 'earlier':
        return context.earlier(expression.back);
      case 'field':
        return fieldOf(expression.words);
      case 'operation': {
        const known = done.get(expression);
        if (known !== undefined) return known;
        const args = { operation: expression.operation, a: valueOf(expression.a), b: valueOf(expression.b) };
        const reference = add({ toolName: 'calculator', args });
        done.set(expression, reference);
        return reference;
      }
      default:
        throw new Error(`unknown expression ${String(expression satisfies never)}`);
    }
  };
  results.forEach(valueOf);
  return steps;
}
