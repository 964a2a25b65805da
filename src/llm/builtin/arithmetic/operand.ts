import { cleanNumber } from '../text/quantity';
import { applyFunction, applyUnary, cannot } from './apply';
import { ArithmeticProblem, type Cursor } from './cursor';
import { combine, negate, numberOf, type Expression } from './expression';
import { readField } from './field';
import type { FunctionName, UnaryName } from './lexicon';

const PRECEDENCE = { add: 1, subtract: 1, multiply: 2, divide: 2 } as const;

/** Operands joined by operations, `3 + 4 * 2`; undefined where none starts here. */
export function readExpression(cursor: Cursor, minPrecedence = 1): Expression | undefined {
  const first = readOperand(cursor);
  return first && continueExpression(cursor, first, minPrecedence);
}

/** The operations after an operand that is already read. */
export function continueExpression(cursor: Cursor, first: Expression, minPrecedence = 1): Expression {
  let left = first;
  for (;;) {
    left = readPostfix(cursor, left);
    const start = cursor.at;
    cursor.skipUnknown();
    const next = cursor.peek();
    if (next?.type === 'unsupported') throw cannot(next.what);
    if (next?.type === 'open' && cursor.peek(-1)?.type === 'close' && minPrecedence <= PRECEDENCE.multiply) {
      // `(2 + 3)(4)`
      left = combine('multiply', left, readBracket(cursor));
      continue;
    }
    const takeAway = isTakeAway(cursor);
    if (next?.type !== 'infix' && !takeAway) {
      cursor.at = start;
      return left;
    }
    const operation = next?.type === 'infix' ? next.operation : 'subtract';
    if (PRECEDENCE[operation] < minPrecedence) {
      cursor.at = start;
      return left;
    }
    cursor.at++;
    const right = cursor.nested(() => readExpression(cursor, PRECEDENCE[operation] + 1));
    if (!right) {
      throw new ArithmeticProblem(`there is no number after "${next?.token.text ?? ''}"`, 'b', false, {
        operation,
        ...(left.kind === 'number' ? { a: left.value } : {}),
      });
    }
    const reversed = next?.type === 'infix' && next.reversed === true;
    left = reversed ? combine(operation, right, left) : combine(operation, left, right);
  }
}

/** `12 take away 5`. */
function isTakeAway(cursor: Cursor): boolean {
  const next = cursor.peek();
  return next?.type === 'verb' && next.verb === 'subtract' && next.token.lower === 'take';
}

/** One operand: a number, a bracket, a function of numbers, or something from before. */
export function readOperand(cursor: Cursor): Expression | undefined {
  const next = cursor.peek();
  switch (next?.type) {
    case 'number':
      cursor.at++;
      return next.percent
        ? readShare(cursor, cleanNumber(next.value / 100))
        : readFraction(cursor, next.value);
    case 'open':
      return readBracket(cursor);
    case 'infix':
      return readSign(cursor, next.operation);
    case 'function':
      return readFunction(cursor, next.name);
    case 'unary':
      return next.position === 'after' ? undefined : readPrefix(cursor, next.name);
    case 'fraction':
      return readLoneFraction(cursor, next.parts);
    case 'particle':
      return next.word === 'negative' ? readSign(cursor, 'subtract') : undefined;
    case 'pronoun':
      return readField(cursor) ?? readPronoun(cursor, next.plural === true);
    case 'unknown':
      return readField(cursor);
    case 'unsupported':
      throw cannot(next.what);
    default:
      return undefined;
  }
}

/** Operands with `and` or a comma between. */
export function readList(cursor: Cursor): Expression[] {
  const list: Expression[] = [];
  const first = readExpression(cursor);
  if (!first) return list;
  list.push(first);
  for (;;) {
    const start = cursor.at;
    cursor.skipUnknown();
    if (!passListSeparator(cursor) || !continuesList(cursor)) {
      cursor.at = start;
      return list;
    }
    const next = readExpression(cursor);
    if (!next) {
      cursor.at = start;
      return list;
    }
    list.push(next);
  }
}

function passListSeparator(cursor: Cursor): boolean {
  const start = cursor.at;
  const next = cursor.peek();
  if (next?.type === 'separator' && !next.strong) cursor.at++;
  cursor.particle('and', 'with');
  return cursor.at > start;
}

/** After a comma or `and`, `double` and the like begin a new instruction. */
function continuesList(cursor: Cursor): boolean {
  const type = cursor.peek()?.type;
  const after = cursor.peek(1);
  if (type === 'pronoun') return after?.type !== 'infix';
  if (type === 'number' && after?.type === 'infix' && cursor.peek(-1)?.type === 'separator') return true;
  return type === 'number' || type === 'open' || type === 'function' || (type === 'infix' && isMinus(cursor));
}

function isMinus(cursor: Cursor): boolean {
  const next = cursor.peek();
  return next?.type === 'infix' && next.operation === 'subtract' && next.token.text === '-';
}

function readBracket(cursor: Cursor): Expression {
  cursor.at++;
  const inner = cursor.nested(() => readExpression(cursor));
  cursor.skipUnknown();
  if (!inner || cursor.peek()?.type !== 'close') throw new ArithmeticProblem('a bracket is not closed');
  cursor.at++;
  return inner;
}

function readSign(cursor: Cursor, operation: string): Expression | undefined {
  if (operation !== 'subtract' && operation !== 'add') return undefined;
  cursor.at++;
  const operand = cursor.nested(() => readOperand(cursor));
  if (!operand) {
    cursor.at--;
    return undefined;
  }
  return operation === 'add' ? operand : negate(operand);
}

/** After a percentage: of, off, more or less than something. */
function readShare(cursor: Cursor, share: number): Expression {
  const start = cursor.at;
  cursor.skipUnknown(2);
  const word = cursor.particle('of', 'off', 'tip', 'on', 'in');
  const next = cursor.peek();
  const reversed = word === undefined && next?.type === 'infix' && next.reversed === true ? next : undefined;
  if (reversed) cursor.at++;
  if (word !== undefined || reversed) {
    const base = cursor.nested(() => readOperand(cursor));
    if (base) {
      const sign =
        reversed?.operation === 'add' ? 1 : reversed?.operation === 'subtract' || word === 'off' ? -1 : 0;
      const factor = sign === 0 ? share : cleanNumber(1 + sign * share);
      return combine('multiply', numberOf(factor), base);
    }
  }
  cursor.at = start;
  return { kind: 'percent', share };
}

/** `2 thirds of 90`: by whole numbers, as 2/3 has no exact fraction. */
function readFraction(cursor: Cursor, count: number): Expression {
  const next = cursor.peek();
  if (next?.type !== 'fraction') return numberOf(count);
  cursor.at++;
  const base = readOf(cursor);
  if (!base) return combine('divide', numberOf(count), numberOf(next.parts));
  const times = count === 1 ? base : combine('multiply', base, numberOf(count));
  return combine('divide', times, numberOf(next.parts));
}

function readLoneFraction(cursor: Cursor, parts: number): Expression | undefined {
  const start = cursor.at++;
  const base = readOf(cursor);
  if (base?.kind === 'field' && cursor.lexemes[start + 1]?.type !== 'particle') {
    // `the third item` is one of several and not a part of one.
    cursor.at = start;
    return undefined;
  }
  if (base) return combine('divide', base, numberOf(parts));
  return parts === 2 || parts === 4 ? numberOf(1 / parts) : undefined;
}

function readOf(cursor: Cursor): Expression | undefined {
  const start = cursor.at;
  cursor.particle('of', 'as');
  const base = cursor.nested(() => readOperand(cursor));
  if (!base) cursor.at = start;
  return base;
}

function readFunction(cursor: Cursor, name: FunctionName): Expression {
  cursor.at++;
  cursor.particle('of', 'between', 'from');
  cursor.skipUnknown();
  const list = cursor.nested(() => readOperands(cursor, name));
  if (list.length < 2)
    throw new ArithmeticProblem(`the ${name} needs two numbers`, list.length === 0 ? 'a' : 'b');
  return applyFunction(name, list) ?? numberOf(0);
}

/** Plain operands: what follows the list belongs to the whole, as in `the sum of 3 and 4 times 2`. */
function readOperands(cursor: Cursor, name: FunctionName): Expression[] {
  const list: Expression[] = [];
  for (;;) {
    const start = cursor.at;
    if (list.length > 0) {
      cursor.skipUnknown();
      const separated =
        passListSeparator(cursor) ||
        (name === 'quotient' && cursor.particle('to') !== undefined) ||
        (name === 'difference' && cursor.particle('than') !== undefined) ||
        cursor.peek()?.type === 'number';
      if (!separated || !continuesList(cursor)) return rewind(cursor, start, list);
    }
    const operand = readOperand(cursor);
    if (!operand) return rewind(cursor, start, list);
    list.push(readPostfix(cursor, operand));
  }
}

function rewind(cursor: Cursor, start: number, list: Expression[]): Expression[] {
  cursor.at = start;
  if (list.length === 1 && list[0]?.kind === 'earlier') return [];
  return list;
}

function readPrefix(cursor: Cursor, name: UnaryName): Expression | undefined {
  const start = cursor.at;
  cursor.at++;
  cursor.particle('of');
  const operand = cursor.nested(() => readOperand(cursor));
  if (!operand) cursor.at = start;
  return operand && applyUnary(name, operand);
}

function readPostfix(cursor: Cursor, operand: Expression): Expression {
  const next = cursor.peek();
  if (
    next?.type !== 'unary' ||
    next.position === 'before' ||
    /^(?:double|triple|twice)$/.test(next.token.lower)
  ) {
    return operand;
  }
  if (
    !/(?:ed|itself|d)$/.test(next.token.lower) &&
    next.token.lower !== 'times' &&
    next.token.lower !== 'multiplied'
  ) {
    return operand;
  }
  cursor.at++;
  return applyUnary(next.name, operand);
}

function readPronoun(cursor: Cursor, plural: boolean): Expression | undefined {
  const value = plural ? undefined : cursor.earlier();
  if (value) cursor.at++;
  return value;
}
