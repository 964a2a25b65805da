import type { CalculatorOperation } from '../known-tools';
import { cleanNumber } from '../text/quantity';

/** A calculation as a tree. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  /** `10%` when it is not yet known of what. The value is the share: 0.1. */
  | { readonly kind: 'percent'; readonly share: number }
  /** The output of the call before. */
  | { readonly kind: 'earlier' }
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
function plain(expression: Expression): Expression {
  return expression.kind === 'percent' ? numberOf(expression.share) : expression;
}

export function negate(expression: Expression): Expression {
  if (expression.kind === 'number') return numberOf(-expression.value);
  return combine('multiply', numberOf(-1), expression);
}

/** All of a list by one operation, from the left. */
export function foldAll(operation: CalculatorOperation, [first, ...rest]: readonly Expression[]): Expression {
  if (!first) throw new Error('A list to calculate with has no item');
  return rest.reduce((left, right) => combine(operation, left, right), first);
}

/** A power by repeated squares, so that 2^10 takes five multiplications. @param exponent a whole number of at least 1 */
export function powerOf(base: Expression, exponent: number): Expression {
  if (exponent === 1) return base;
  const half = powerOf(base, Math.floor(exponent / 2));
  const square = combine('multiply', half, half);
  return exponent % 2 === 0 ? square : combine('multiply', square, base);
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
