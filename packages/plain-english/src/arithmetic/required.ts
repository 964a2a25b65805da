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
  const by = missing === 'b' && /^(?:multiply|divide)$/.test(operation) ? ' by' : '';
  throw new ArithmeticProblem(`a number to ${operation}${by} is missing`, missing, false, {
    ...(/^(?:add|subtract|multiply|divide)$/.test(operation) ? { operation } : {}),
    ...(a?.kind === 'number' ? { a: a.value } : {}),
  });
}

/** Units and the like stand between a number and the preposition after it. */
export function preposition(cursor: Cursor, ...words: readonly string[]): string | undefined {
  return cursor.attempt(() => {
    cursor.skipUnknown();
    return cursor.particle(...words);
  });
}

/** The other number where the preposition comes first: `divide by 4 the number 90`. */
export function readInverted(cursor: Cursor): Expression | undefined {
  if (cursor.peek()?.type === 'separator') return undefined;
  return cursor.attempt(() => {
    cursor.skipUnknown();
    // `the number 90`
    if (cursor.peek()?.type === 'pronoun' && cursor.peek(1)?.type === 'number') cursor.at++;
    return cursor.peek()?.type === 'number' ? readExpression(cursor) : undefined;
  });
}
