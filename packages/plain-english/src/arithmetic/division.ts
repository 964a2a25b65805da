import type { Cursor } from './cursor';
import { combine, type Expression } from './expression';
import { readExpression } from './operand';
import { preposition, readInverted, required } from './required';

const PORTIONS = 'by through between among amongst with and into in to over from'.split(' ');

export function readDivide(cursor: Cursor, verb: 'divide' | 'split'): Expression {
  const leading = cursor.particle('by', 'through', 'between', 'among', 'into', 'amongst');
  if (leading !== undefined) {
    const divisor = required(readExpression(cursor), 'divide', 'b');
    cursor.particle('ways');
    const base = readInverted(cursor) ?? cursor.earlier();
    return combine('divide', required(base, 'divide', 'a'), divisor);
  }
  const amount = required(readExpression(cursor), 'divide', 'a');
  const whole = cursor.earlier();
  // `240 split three ways`
  if (whole && preposition(cursor, 'ways') !== undefined) return combine('divide', whole, amount);
  const word = preposition(cursor, ...PORTIONS);
  if (word === undefined) cursor.skipUnknown();
  const isNext = word !== undefined || cursor.peek()?.type === 'number';
  const second = required(isNext ? readExpression(cursor) : undefined, 'divide', 'b', amount);
  const portions = preposition(cursor, 'ways') !== undefined;
  // `divide 6 into 42` asks how often; `divide 42 into 6 parts` and `split 42 into 6` ask how much.
  return word === 'into' && verb === 'divide' && !portions && isSmaller(amount, second)
    ? combine('divide', second, amount)
    : combine('divide', amount, second);
}

function isSmaller(a: Expression, b: Expression): boolean {
  return a.kind === 'number' && b.kind === 'number' && a.value < b.value;
}
