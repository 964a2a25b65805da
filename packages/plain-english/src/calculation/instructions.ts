import { type Cursor, NoCalculation, type Verb } from './lexer';
import { combine, foldAll, type Expression } from './expression';
import { continueExpression, lacks, readExpression, readList, readOperand, required } from './operands';

/** What follows each verb. What it leaves out is the value before. */
const READERS: Readonly<Record<Verb, (cursor: Cursor) => Expression>> = {
  add: readAdd,
  subtract: readSubtract,
  take: readTake,
  multiply: readMultiply,
  divide: readDivide,
  increase: (cursor) => readChange(cursor, 'add'),
  decrease: (cursor) => readChange(cursor, 'subtract'),
  start: (cursor) => required(readExpression(cursor), 'a'),
};

/**
 * The results of all instructions of a clause, in order: each one that no later one goes on with.
 * @throws NoCalculation if the clause does not calculate, or lacks something
 */
export function readInstructions(cursor: Cursor): readonly Expression[] {
  const results: Expression[] = [];
  passSeparators(cursor);
  while (!cursor.isAtEnd) {
    const before = cursor.current;
    const value = readInstruction(cursor);
    if (!value) throw new NoCalculation('what to calculate is not clear');
    if (before && results.at(-1) === before && contains(value, before)) results.pop();
    results.push(value);
    cursor.current = value;
    passSeparators(cursor);
  }
  if (results.length === 0 || results.some(({ kind }) => kind !== 'operation'))
    throw new NoCalculation('there is nothing to calculate');
  return results;
}

function passSeparators(cursor: Cursor): void {
  while (cursor.isNext('next') || cursor.particle(',', 'and') !== undefined)
    if (cursor.isNext('next')) cursor.at++;
}

function readInstruction(cursor: Cursor): Expression | undefined {
  const next = cursor.peek();
  if (next?.type === 'verb') {
    cursor.at++;
    if (cursor.isNext('next') && cursor.peek()?.token.text === ':') cursor.at++;
    return READERS[next.verb](cursor);
  }
  const { current } = cursor;
  // `then plus 4`; a sign right before its number begins a value of its own.
  if (next?.type === 'infix' && current && !isSign(cursor)) return continueExpression(cursor, current);
  return readExpression(cursor);
}

function isSign(cursor: Cursor): boolean {
  const [sign, number] = [cursor.peek()?.token, cursor.peek(1)?.token];
  return sign?.text === '-' && number?.start === sign.end;
}

/** True if `part` is inside `whole`, the very object. */
function contains(whole: Expression, part: Expression): boolean {
  if (whole === part) return true;
  return whole.kind === 'operation' && (contains(whole.a, part) || contains(whole.b, part));
}

function readAdd(cursor: Cursor): Expression {
  const list = readList(cursor, readExpression);
  const first = required(list[0], 'a', 'add');
  const target = cursor.particle('to', 'on', 'with') === undefined ? undefined : readExpression(cursor);
  if (target) return list.reduce((sum, item) => combine('add', sum, item), target);
  if (list.length > 1) return foldAll('add', list);
  return combine('add', required(cursor.current, 'b', 'add', first), first);
}

function readSubtract(cursor: Cursor): Expression {
  const isAway = cursor.particle('away') !== undefined;
  const amount = required(readExpression(cursor), 'b', 'subtract');
  if (!isAway) cursor.particle('away');
  const base = cursor.particle('from', 'off') === undefined ? cursor.current : readExpression(cursor);
  return combine('subtract', required(base, 'a', 'subtract'), amount);
}

/** `take 5 from 12` subtracts, `take 20% of it` only begins, and `take 5` is not clear. */
function readTake(cursor: Cursor): Expression {
  const start = cursor.at;
  const isAway = cursor.particle('away') !== undefined;
  const amount = required(readExpression(cursor), 'a');
  const next = cursor.peek();
  if (isAway || (next?.type === 'particle' && /^(?:from|off|away)$/.test(next.word))) {
    cursor.at = start;
    return readSubtract(cursor);
  }
  if (amount.kind !== 'operation') throw new NoCalculation('what to take the number from is not clear', 'a');
  return amount;
}

function readMultiply(cursor: Cursor): Expression {
  if (cursor.particle('by', 'with')) {
    const factor = required(readExpression(cursor), 'b', 'multiply');
    return combine('multiply', required(cursor.current, 'a', 'multiply'), factor);
  }
  const list = readList(cursor, readExpression);
  const first = required(list[0], 'a', 'multiply');
  const factor = cursor.particle('by', 'with') === undefined ? undefined : readExpression(cursor);
  if (factor && list.length > 1) throw new NoCalculation('it is not clear which numbers belong together');
  if (factor) return combine('multiply', first, factor);
  if (list.length > 1) return foldAll('multiply', list);
  throw lacks('b', 'multiply', first);
}

function readDivide(cursor: Cursor): Expression {
  const base = cursor.isNext('particle') ? cursor.current : readExpression(cursor);
  const word = cursor.particle('by', 'into', 'with', 'and');
  const isInWays = cursor.isNext('number') && cursor.peek(1)?.type === 'particle';
  const divisor = word === undefined && !isInWays ? undefined : readExpression(cursor);
  const from = required(base, 'a', 'divide');
  // `divide 6 into 42` may ask how often, and `split 42 into 6` how much.
  const isSmaller = from.kind === 'number' && divisor?.kind === 'number' && from.value < divisor.value;
  if (word === 'into' && isSmaller) throw new NoCalculation('it is not clear which number is to be divided');
  cursor.particle('ways');
  if (!divisor) throw lacks('b', 'divide', from);
  return combine('divide', from, divisor);
}

/** `increase 200 by 10%`; with a plain number it is a sum. */
function readChange(cursor: Cursor, operation: 'add' | 'subtract'): Expression {
  const base = required(readOperand(cursor) ?? cursor.current, 'a', operation);
  const by = cursor.particle('by');
  const part = cursor.peek();
  const amount = by === undefined ? undefined : readExpression(cursor);
  // `increase 640 by a quarter` is by a quarter of it.
  if (part?.type === 'fraction' && amount)
    return combine(operation, base, { kind: 'percent', share: 1 / part.parts });
  return combine(operation, base, required(amount, 'b', operation, base));
}
