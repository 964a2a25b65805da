import { cleanNumber } from '../text/quantity';
import { ArithmeticProblem, cannot, type Cursor } from './cursor';
import { combine, negate, numberOf, type Expression } from './expression';
import { readField } from './field';
import { readFunction } from './list-function';
import { readFraction, readLoneFraction, readShare, readWrittenFraction } from './share';
import { readPostfix, readPrefix } from './unary';

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
    if (next?.type !== 'infix' || (next.tight === true && cursor.at > start)) {
      cursor.at = start;
      return left;
    }
    const { operation } = next;
    if (PRECEDENCE[operation] < minPrecedence) {
      cursor.at = start;
      return left;
    }
    cursor.at++;
    const right = cursor.nested(() => readExpression(cursor, PRECEDENCE[operation] + 1));
    if (!right) {
      throw new ArithmeticProblem(`there is no number after "${next.token.text}"`, 'b', false, {
        operation,
        ...(left.kind === 'number' ? { a: left.value } : {}),
      });
    }
    left = next.reversed === true ? combine(operation, right, left) : combine(operation, left, right);
    if (next.percent === true) left = combine('multiply', left, numberOf(100));
    if (next.token.text === '/') left = readWrittenFraction(cursor, left);
  }
}

/** The dash of `quick one - 14 x 12`: a sign stands right before its number. */
function isDash(cursor: Cursor): boolean {
  const [sign, next] = [cursor.peek(), cursor.peek(1)];
  const isSpaced = sign?.token.kind === 'symbol' && next !== undefined && next.token.start > sign.token.end;
  return isSpaced && cursor.peek(-1)?.type === 'unknown';
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
      return next.token.kind === 'symbol' || /^(?:minus|plus)$/.test(next.token.lower)
        ? readSign(cursor, next.operation)
        : undefined;
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

function readBracket(cursor: Cursor): Expression {
  cursor.at++;
  const inner = cursor.nested(() => readExpression(cursor));
  cursor.skipUnknown();
  if (!inner || cursor.peek()?.type !== 'close') throw new ArithmeticProblem('a bracket is not closed');
  cursor.at++;
  return inner;
}

function readSign(cursor: Cursor, operation: string): Expression | undefined {
  if ((operation !== 'subtract' && operation !== 'add') || isDash(cursor)) return undefined;
  cursor.at++;
  const operand = cursor.nested(() => readOperand(cursor));
  if (!operand) {
    cursor.at--;
    return undefined;
  }
  return operation === 'add' ? operand : negate(operand);
}

function readPronoun(cursor: Cursor, plural: boolean): Expression | undefined {
  const value = plural ? undefined : cursor.earlier();
  if (value) cursor.at++;
  return value;
}
