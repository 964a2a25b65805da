import { ArithmeticProblem, type Cursor } from './cursor';
import { combine, foldAll, type Expression } from './expression';
import type { Verb } from './lexicon';
import { readDivide } from './division';
import { readList } from './list';
import { preposition, readInverted, required } from './required';
import { readExpression, readOperand } from './operand';

/** What follows each verb. What it leaves out is what came before. */
const READERS: Readonly<Record<Verb, (cursor: Cursor) => Expression>> = {
  add: readAdd,
  subtract: readSubtract,
  take: readTake,
  multiply: readMultiply,
  divide: (cursor) => readDivide(cursor, 'divide'),
  split: (cursor) => readDivide(cursor, 'split'),
  increase: (cursor) => readChange(cursor, 'add'),
  decrease: (cursor) => readChange(cursor, 'subtract'),
  start: (cursor) => required(readExpression(cursor), 'operation', 'a'),
};

/** An instruction that begins with a verb, `subtract 7 from 20`. */
export function readInstruction(cursor: Cursor, verb: Verb): Expression {
  cursor.at++;
  // `add these up: 3, 4 and 5`
  if (cursor.peek()?.token.text === ':' && cursor.peek(1)?.type === 'number') cursor.at++;
  passName(cursor);
  return READERS[verb](cursor);
}

/** Passes what an amount is called: `add VAT of 19%`. In data a word may be the name of a part instead. */
function passName(cursor: Cursor): void {
  const start = cursor.at;
  cursor.skipUnknown();
  cursor.particle('of');
  const isAmount = cursor.at > start && cursor.peek()?.type === 'number';
  if (isAmount) return;
  cursor.at = start;
  if (!cursor.context.hasFields) cursor.skipUnknown();
}

function readAdd(cursor: Cursor): Expression {
  const inverted = cursor.particle('to') !== undefined;
  const list = readList(cursor, () => cursor.expression());
  const first = required(list[0], 'add', 'a');
  // `what do I add to 47 to get 83`
  const isSum = inverted && preposition(cursor, 'to') !== undefined;
  if (isSum) cursor.skipUnknown(1);
  const sum = isSum ? readExpression(cursor) : undefined;
  if (sum) return combine('subtract', sum, first);
  const target = preposition(cursor, 'to', 'onto', 'on', 'with') ? readExpression(cursor) : undefined;
  if (target) return list.reduce((sum, item) => combine('add', sum, item), target);
  if (list.length > 1) return required(foldAll('add', list), 'add', 'b');
  const second = (inverted ? readInverted(cursor) : undefined) ?? cursor.earlier();
  return combine('add', required(second, 'add', 'b', first), first);
}

function readSubtract(cursor: Cursor): Expression {
  cursor.particle('away');
  if (cursor.particle('from') !== undefined) {
    const base = required(readExpression(cursor), 'subtract', 'a');
    return combine('subtract', base, required(readInverted(cursor), 'subtract', 'b', base));
  }
  const amount = required(readExpression(cursor), 'subtract', 'a');
  const word = preposition(cursor, 'from', 'off', 'of', 'and', 'away');
  if (word === 'away') cursor.particle('from');
  const base = word === undefined ? undefined : readExpression(cursor);
  if (base && word === 'and') return combine('subtract', amount, base);
  if (base) return combine('subtract', base, amount);
  return combine('subtract', required(cursor.earlier(), 'subtract', 'a'), amount);
}

/** `take 5 away from 12` subtracts; `take 100, divide it by 4` only begins. */
function readTake(cursor: Cursor): Expression {
  const away = cursor.particle('away') !== undefined;
  const amount = required(readExpression(cursor), 'take', 'a');
  const word = preposition(cursor, 'from', 'away', 'off', 'of');
  if (word === undefined && !away) {
    const base = cursor.startsFrom ? cursor.current : undefined;
    if (base) return combine('subtract', base, amount);
    return amount.kind === 'percent' ? required(shareOf(cursor, amount), 'take', 'a') : amount;
  }
  if (word === 'away') preposition(cursor, 'from', 'of', 'off');
  const base = readExpression(cursor) ?? cursor.earlier();
  return combine('subtract', required(base, 'subtract', 'a'), amount);
}

/** `take 20%`: of what came before. */
function shareOf(cursor: Cursor, share: Expression): Expression | undefined {
  const base = cursor.earlier();
  return base && combine('multiply', share, base);
}

/** `multiply 2,5 by 4`: a decimal comma or a list. */
function notClear(): ArithmeticProblem {
  return new ArithmeticProblem('it is not clear which numbers belong together', undefined, true);
}

function readMultiply(cursor: Cursor): Expression {
  if (cursor.particle('by', 'with')) {
    const factor = required(readExpression(cursor), 'multiply', 'b');
    const base = readInverted(cursor) ?? cursor.earlier();
    return combine('multiply', required(base, 'multiply', 'a'), factor);
  }
  const list = readList(cursor, () => cursor.expression());
  const first = required(list[0], 'multiply', 'a');
  const factor = preposition(cursor, 'by', 'with', 'to', 'and')
    ? readExpression(cursor)
    : readNextNumber(cursor);
  if (factor && list.length > 1) throw notClear();
  if (factor) return combine('multiply', required(foldAll('multiply', list), 'multiply', 'a'), factor);
  if (list.length > 1) return required(foldAll('multiply', list), 'multiply', 'a');
  const base = first.kind === 'number' ? cursor.earlier() : undefined;
  return combine('multiply', required(base, 'multiply', 'b', first), first);
}

/** `multiply 4 wiht 5`: a number after a word that is not known. */
function readNextNumber(cursor: Cursor): Expression | undefined {
  return cursor.attempt(() => {
    cursor.skipUnknown(1);
    return cursor.peek()?.type === 'number' ? readExpression(cursor) : undefined;
  });
}

/** `increase 200 by 10%`; with a plain number it is a sum. */
function readChange(cursor: Cursor, operation: 'add' | 'subtract'): Expression {
  const base = readOperand(cursor) ?? required(cursor.earlier(), operation, 'a');
  const by = preposition(cursor, 'by');
  const part = by === undefined ? undefined : cursor.peek();
  const amount = by === undefined ? undefined : readExpression(cursor);
  // `increase 640 by a quarter` is by a quarter of it.
  const isShare = part?.type === 'fraction' && amount?.kind !== 'operation';
  const share: Expression | undefined = isShare ? { kind: 'percent', share: 1 / part.parts } : amount;
  if (isShare && amount === undefined) cursor.at++;
  return combine(operation, base, required(share, operation, 'b', base));
}
