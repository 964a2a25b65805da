import type { CalculatorOperation } from '../known-tools';
import { ArithmeticProblem, type Cursor } from './cursor';
import type { Expression } from './expression';
import { readExpression } from './operand';

export function required(
  value: Expression | undefined,
  operation: string,
  missing: 'a' | 'b',
  a?: Expression,
): Expression {
  if (value) return value;
  throw new ArithmeticProblem(`a number to ${operation} is missing`, missing, false, {
    ...(isOperation(operation) ? { operation } : {}),
    ...(a?.kind === 'number' ? { a: a.value } : {}),
  });
}

function isOperation(word: string): boolean {
  return ['add', 'subtract', 'multiply', 'divide'].includes(word);
}

/** Units and the like stand between a number and the preposition after it. */
export function preposition(cursor: Cursor, ...words: readonly string[]): string | undefined {
  const start = cursor.at;
  cursor.skipUnknown();
  const found = cursor.particle(...words);
  if (found === undefined) cursor.at = start;
  return found;
}

/** The other number where the preposition comes first: `divide by 4 the number 90`. */
export function readInverted(cursor: Cursor): Expression | undefined {
  if (cursor.peek()?.type === 'separator') return undefined;
  const start = cursor.at;
  cursor.skipUnknown();
  // `the number 90`
  if (cursor.peek()?.type === 'pronoun' && cursor.peek(1)?.type === 'number') cursor.at++;
  const value = cursor.peek()?.type === 'number' ? readExpression(cursor) : undefined;
  if (!value) cursor.at = start;
  return value;
}

export function lacksSecond(operation: CalculatorOperation, a: Expression): ArithmeticProblem {
  return new ArithmeticProblem(`the number to ${operation} by is missing`, 'b', false, {
    operation,
    ...(a.kind === 'number' ? { a: a.value } : {}),
  });
}
