import { ArithmeticProblem, type Cursor } from './cursor';
import { combine, numberOf, type Expression } from './expression';
import type { QuestionName } from './lexicon';
import { readOperand } from './operand';

const MORE = new Set('more greater larger bigger higher taller longer older heavier'.split(' '));
const LESS = new Set('less fewer smaller lower shorter younger lighter cheaper'.split(' '));

/** A question that is an operation by itself; undefined where it only introduces one. */
export function readQuestion(cursor: Cursor, name: QuestionName): Expression | undefined {
  switch (name) {
    case 'percentOf':
      return readPercentage(cursor);
    case 'howMany':
      return readContained(cursor) ?? readComparison(cursor, false);
    case 'howMuch':
      return readComparison(cursor, false);
    case 'byHowMuch':
      return readComparison(cursor, true);
    default:
      throw new Error(`unknown question ${String(name satisfies never)}`);
  }
}

function readPercentage(cursor: Cursor): Expression {
  cursor.at++;
  const first = readOperand(cursor);
  const before = cursor.current;
  if (first && first === before) throw new ArithmeticProblem('what it is a percentage of is not said', 'b');
  if (first && before && cursor.peek()?.type !== 'number') {
    // `20 is what percent of 80`
    return combine('multiply', combine('divide', before, first), numberOf(100));
  }
  cursor.skipUnknown();
  const isReversed = cursor.particle('of') !== undefined;
  const second = first && readOperand(cursor);
  if (!first || !second) throw new ArithmeticProblem('a percentage needs two numbers', first ? 'b' : 'a');
  // `what percent of 80 is 20`, but `what percentage is 20 of 80`.
  const [part, whole] = isReversed ? [first, second] : [second, first];
  return combine('multiply', combine('divide', part, whole), numberOf(100));
}

/** `how many 6 in 42`. */
function readContained(cursor: Cursor): Expression | undefined {
  const start = cursor.at++;
  const first = readOperand(cursor);
  cursor.skipUnknown();
  const second = first && cursor.particle('in', 'into') ? readOperand(cursor) : undefined;
  if (first && second) return combine('divide', second, first);
  cursor.at = start;
  return undefined;
}

/** `by how much is 83 greater than 47`, `how much more is 83 than 47`, `how much less than 100 is 64`. */
function readComparison(cursor: Cursor, isDifference: boolean): Expression | undefined {
  const start = cursor.at++;
  const [word, next] = [cursor.peek(), cursor.peek(1)];
  const leads = word?.type === 'unknown' ? sense(word.token.lower) : undefined;
  if (word?.type === 'infix' && word.reversed === true && word.operation !== 'divide') {
    cursor.at++;
    const [base, other] = readPair(cursor, () => true);
    if (base && other)
      return word.operation === 'add' ? combine('subtract', other, base) : combine('subtract', base, other);
  } else if (leads !== undefined && next?.type === 'number') {
    cursor.at++;
    const [a, b] = readPair(cursor, () => cursor.particle('than') !== undefined);
    if (a && b) return leads > 0 ? combine('subtract', a, b) : combine('subtract', b, a);
  } else {
    let sign = 0;
    const [a, b] = readPair(cursor, () => {
      cursor.skipUnknown(1);
      const found = cursor.peek();
      if (found?.type === 'infix' && found.reversed === true && found.operation !== 'divide') {
        sign = found.operation === 'add' ? 1 : -1;
        cursor.at++;
      }
      return sign !== 0;
    });
    if (a && b) return compare(cursor, start, isDifference, sign, a, b);
  }
  cursor.at = start;
  return undefined;
}

function compare(
  cursor: Cursor,
  start: number,
  isDifference: boolean,
  sign: number,
  a: Expression,
  b: Expression,
): Expression | undefined {
  const difference = sign > 0 ? combine('subtract', a, b) : combine('subtract', b, a);
  if (isDifference) return difference;
  const isAmbiguous =
    a.kind === 'number' && b.kind === 'number' && sign * (a.value - b.value) > 0 && sign > 0;
  if (isAmbiguous) {
    // `how much is 83 more than 47` may ask for the difference or the sum.
    throw new ArithmeticProblem(
      'whether the difference or the sum is asked for is not clear',
      undefined,
      true,
    );
  }
  cursor.at = start;
  return undefined;
}

function readPair(cursor: Cursor, joint: () => boolean): [Expression | undefined, Expression | undefined] {
  const a = readOperand(cursor);
  cursor.skipUnknown(2);
  if (!a || !joint()) return [undefined, undefined];
  return [a, readOperand(cursor)];
}

function sense(word: string): number | undefined {
  if (MORE.has(word)) return 1;
  return LESS.has(word) ? -1 : undefined;
}
