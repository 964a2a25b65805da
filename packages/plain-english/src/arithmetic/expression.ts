import type { CalculatorOperation } from '../known-tools';
import { cleanNumber } from '../text/quantity';

/** A calculation as a tree. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  /** `10%` where it is not yet known of what. The value is the share: 0.1. */
  | { readonly kind: 'percent'; readonly share: number }
  /** The output of an earlier step: `back` 1 is the last one. */
  | { readonly kind: 'earlier'; readonly back: number }
  /** Part of data that an earlier step brought, by its name in words. */
  | { readonly kind: 'field'; readonly words: readonly string[] }
  | {
      readonly kind: 'operation';
      readonly operation: CalculatorOperation;
      readonly a: Expression;
      readonly b: Expression;
    };

export function numberOf(value: number): Expression {
  return { kind: 'number', value };
}

/** `a` and `b` brought together; a percentage on the right of a sum or difference is a share of what is on the left. */
export function combine(operation: CalculatorOperation, a: Expression, b: Expression): Expression {
  if (b.kind === 'percent' && (operation === 'add' || operation === 'subtract') && a.kind !== 'percent') {
    const factor = operation === 'add' ? 1 + b.share : 1 - b.share;
    return { kind: 'operation', operation: 'multiply', a, b: numberOf(cleanNumber(factor)) };
  }
  return { kind: 'operation', operation, a: plain(a), b: plain(b) };
}

/** A percentage by itself is the fraction. */
export function plain(expression: Expression): Expression {
  return expression.kind === 'percent' ? numberOf(expression.share) : expression;
}

export function negate(expression: Expression): Expression {
  if (expression.kind === 'number') return numberOf(-expression.value);
  return combine('multiply', numberOf(-1), expression);
}

/** An amount in another unit. */
export function scaled(expression: Expression, ratio: number): Expression {
  if (ratio === 1) return expression;
  return ratio > 1
    ? combine('multiply', expression, numberOf(ratio))
    : combine('divide', expression, numberOf(Number((1 / ratio).toPrecision(12))));
}

/** All of a list by one operation, from the left. */
export function foldAll(operation: CalculatorOperation, list: readonly Expression[]): Expression | undefined {
  const [first, ...rest] = list;
  return first && rest.reduce((left, right) => combine(operation, left, right), first);
}

/** The value of a calculation that needs nothing from before; undefined otherwise. */
export function evaluate(expression: Expression): number | undefined {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'percent') return expression.share;
  if (expression.kind !== 'operation') return undefined;
  const [a, b] = [evaluate(expression.a), evaluate(expression.b)];
  if (a === undefined || b === undefined) return undefined;
  return applyOperation(expression.operation, a, b);
}

export function applyOperation(operation: CalculatorOperation, a: number, b: number): number {
  return cleanNumber(OPERATIONS[operation](a, b));
}

const OPERATIONS: Readonly<Record<CalculatorOperation, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
};
