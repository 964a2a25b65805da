import type { CalculatorOperation } from '../known-tools';
import { cleanNumber } from '../text/quantity';
import { type Cursor, type ListName, NoCalculation, type UnaryName } from './lexer';
import { combine, foldAll, negate, numberOf, powerOf, type Expression } from './expression';

const PRECEDENCE = { add: 1, subtract: 1, multiply: 2, divide: 2 } as const;
const MAX_EXPONENT = 32;

/** Operands joined by operations, `3 + 4 * 2`; undefined if none starts here. */
export function readExpression(cursor: Cursor, minPrecedence = 1): Expression | undefined {
  const first = readOperand(cursor);
  return first && continueExpression(cursor, first, minPrecedence);
}

/** The operations after an operand that is already read, by precedence climbing. */
export function continueExpression(cursor: Cursor, first: Expression, minPrecedence = 1): Expression {
  let left = first;
  for (;;) {
    const next = cursor.peek();
    if (next?.type === 'percentOf') {
      cursor.at++;
      left = percentage(left, required(readOperand(cursor), 'b'));
      continue;
    }
    if (next?.type === 'hundredths' && minPrecedence === 1) {
      cursor.at++;
      left = combine('multiply', left, numberOf(100));
      continue;
    }
    // `(2 + 3)(4)`
    const isProduct = next?.type === 'open' && cursor.isNext('close', -1);
    if (!isProduct && next?.type !== 'infix') return left;
    const operation = next.type === 'infix' ? next.operation : 'multiply';
    if (PRECEDENCE[operation] < minPrecedence) return left;
    if (!isProduct) cursor.at++;
    const right = readExpression(cursor, PRECEDENCE[operation] + 1);
    if (!right) throw lacks('b', operation, left, `there is no number after "${next.token.text}"`);
    const isReversed = next.type === 'infix' && next.reversed === true;
    if (next.type === 'infix' && next.percent === true) left = percentage(left, right);
    else left = isReversed ? combine(operation, right, left) : combine(operation, left, right);
    // `1/4 of 60`
    if (next.token.text === '/' && cursor.particle('of'))
      left = combine('multiply', left, required(readOperand(cursor), 'b'));
  }
}

function percentage(part: Expression, whole: Expression): Expression {
  return combine('multiply', combine('divide', part, whole), numberOf(100));
}

/** One operand: a number, a bracket, a function of numbers, or the value before, with what is done to it alone. */
export function readOperand(cursor: Cursor): Expression | undefined {
  let operand = readSimple(cursor);
  while (operand) {
    const next = cursor.peek();
    if (next?.type === 'unary' && /d$/.test(next.token.lower)) {
      cursor.at++;
      operand = applyUnary(next.name, operand);
    } else if (next?.type === 'power') {
      cursor.at++;
      const exponent = readSimple(cursor);
      const isWhole = exponent?.kind === 'number' && Number.isInteger(exponent.value);
      if (!isWhole || exponent.value < 1 || exponent.value > MAX_EXPONENT)
        throw new NoCalculation(`only powers from 1 to ${MAX_EXPONENT} are calculated`);
      operand = powerOf(operand, exponent.value);
    } else return operand;
  }
  return undefined;
}

/** All that nests goes through here. */
function readSimple(cursor: Cursor): Expression | undefined {
  return cursor.nested(() => readNext(cursor));
}

function readNext(cursor: Cursor): Expression | undefined {
  const next = cursor.peek();
  switch (next?.type) {
    case 'number':
      cursor.at++;
      return next.percent ? readShare(cursor, cleanNumber(next.value / 100)) : readParts(cursor, next.value);
    case 'open':
      return readBracket(cursor);
    case 'infix':
      return next.reversed === true ? undefined : readSign(cursor, next.operation);
    case 'list':
      cursor.at++;
      return readListFunction(cursor, next.name);
    case 'unary':
      return cursor.attempt(() => {
        cursor.at++;
        cursor.particle('of');
        const operand = readSimple(cursor);
        return operand && applyUnary(next.name, operand);
      });
    case 'fraction':
      return readParts(cursor, 1);
    case 'percentOf':
    case 'percentIs':
      return readPercentage(cursor, next.type);
    case 'it':
      if (cursor.current) cursor.at++;
      return cursor.current;
    default:
      return undefined;
  }
}

function readBracket(cursor: Cursor): Expression {
  cursor.at++;
  const inner = readExpression(cursor);
  if (!inner || !cursor.isNext('close')) throw new NoCalculation('a bracket is not closed');
  cursor.at++;
  return inner;
}

function readSign(cursor: Cursor, operation: CalculatorOperation): Expression | undefined {
  if (operation !== 'subtract' && operation !== 'add') return undefined;
  const [sign, number] = [cursor.peek()?.token, cursor.peek(1)?.token];
  // In `one thing - 14 x 12` it is a dash.
  if (sign?.kind === 'symbol' && sign.end !== number?.start) return undefined;
  return cursor.attempt(() => {
    cursor.at++;
    const operand = readSimple(cursor);
    return operand && (operation === 'add' ? operand : negate(operand));
  });
}

/** After a percentage: of or off something. */
function readShare(cursor: Cursor, share: number): Expression {
  const word = cursor.particle('of', 'on', 'off');
  if (word === undefined) return { kind: 'percent', share };
  const base = required(readOperand(cursor), 'b');
  return combine('multiply', numberOf(word === 'off' ? cleanNumber(1 - share) : share), base);
}

/** `2 thirds of 90`, by whole numbers, as 2/3 has no exact fraction; `0.75 of 1,600`; or the number alone. */
function readParts(cursor: Cursor, count: number): Expression | undefined {
  const next = cursor.peek();
  const parts = next?.type === 'fraction' ? next.parts : 1;
  if (parts > 1) cursor.at++;
  const isShare = parts > 1 || (count > 0 && count < 1);
  if (!isShare || cursor.particle('of') === undefined)
    return parts > 1 ? combine('divide', numberOf(count), numberOf(parts)) : numberOf(count);
  const base = required(readOperand(cursor), 'b');
  const times = count === 1 ? base : combine('multiply', base, numberOf(count));
  return parts > 1 ? combine('divide', times, numberOf(parts)) : times;
}

/** `what percent of 80 is 20`, and `what percentage is 20 of 80`. */
function readPercentage(cursor: Cursor, type: 'percentOf' | 'percentIs'): Expression {
  cursor.at++;
  const first = required(readOperand(cursor), 'a');
  if (type === 'percentIs' && cursor.particle('of') === undefined)
    throw new NoCalculation('what it is a percentage of is not said', 'b');
  const second = required(readOperand(cursor), 'b');
  return type === 'percentOf' ? percentage(second, first) : percentage(first, second);
}

const FOLDS = {
  sum: 'add',
  product: 'multiply',
  difference: 'subtract',
  quotient: 'divide',
  average: 'add',
} as const;

function readListFunction(cursor: Cursor, name: ListName): Expression {
  const list = readList(cursor, readOperand);
  if (list.length < 2)
    throw new NoCalculation(`the ${name} needs two numbers`, list.length === 0 ? 'a' : 'b');
  if (name === 'largest' || name === 'smallest') return extremeOf(name, list);
  const total = foldAll(FOLDS[name], list);
  return name === 'average' ? combine('divide', total, numberOf(list.length)) : total;
}

/** The calculator does not compare: it adds nothing to the number that is found here, so that the plan ends in it. */
function extremeOf(name: 'largest' | 'smallest', list: readonly Expression[]): Expression {
  const values = list.map((item) => {
    if (item.kind !== 'number')
      throw new NoCalculation(`the ${name} of numbers to be calculated is not known`);
    return item.value;
  });
  const extreme = name === 'largest' ? Math.max(...values) : Math.min(...values);
  return combine('add', numberOf(extreme), numberOf(0));
}

/** Items with `and` or a comma between. */
export function readList(cursor: Cursor, readItem: typeof readOperand): Expression[] {
  const list: Expression[] = [];
  for (;;) {
    const item = cursor.attempt(() =>
      list.length === 0 || passSeparator(cursor) ? readItem(cursor) : undefined,
    );
    if (!item) return list;
    list.push(item);
  }
}

function passSeparator(cursor: Cursor): boolean {
  const start = cursor.at;
  cursor.particle(',');
  cursor.particle('and');
  // `add 5 and double it`, `…, plus 4`: another instruction.
  const isOther =
    (cursor.isNext('unary') && (cursor.isNext('it', 1) || cursor.peek(1) === undefined)) ||
    (cursor.isNext('infix') && cursor.peek()?.token.text !== '-');
  return cursor.at > start && !isOther;
}

function applyUnary(name: UnaryName, operand: Expression): Expression {
  if (name === 'halve') return combine('divide', operand, numberOf(2));
  if (name === 'double' || name === 'triple')
    return combine('multiply', operand, numberOf(name === 'double' ? 2 : 3));
  return powerOf(operand, name === 'square' ? 2 : 3);
}

/** @throws NoCalculation if there is no value */
export function required(
  value: Expression | undefined,
  missing: 'a' | 'b',
  operation?: CalculatorOperation,
  a?: Expression,
): Expression {
  if (value) return value;
  throw lacks(missing, operation, a);
}

/** That a value is missing, and what was understood before. */
export function lacks(
  missing: 'a' | 'b',
  operation?: CalculatorOperation,
  a?: Expression,
  reason?: string,
): NoCalculation {
  const by = missing === 'b' && (operation === 'multiply' || operation === 'divide') ? ' by' : '';
  const message = reason ?? `a number to ${operation ?? 'calculate with'}${by} is missing`;
  const first = a?.kind === 'number' ? { a: a.value } : {};
  return new NoCalculation(message, missing, { ...(operation && { operation }), ...first });
}
