import { ArithmeticProblem, type Cursor } from './cursor';
import { combine, numberOf, type Expression } from './expression';
import type { QuestionName } from './lexicon';
import { readOperand } from './operand';

/** A question that is an operation by itself; undefined where it only introduces one. */
export function readQuestion(cursor: Cursor, name: QuestionName): Expression | undefined {
  if (name === 'percentOf') return readPercentage(cursor);
  if (name === 'byHowMuch') return readComparison(cursor);
  return name === 'howMany' ? readContained(cursor) : refuseComparison(cursor);
}

/** `by how much is 83 greater than 47`. */
function readComparison(cursor: Cursor): Expression | undefined {
  return cursor.attempt(() => {
    cursor.at++;
    const first = readOperand(cursor);
    cursor.skipUnknown();
    const infix = cursor.peek();
    if (!first || infix?.type !== 'infix' || infix.reversed !== true) return undefined;
    cursor.at++;
    const second = readOperand(cursor);
    if (!second) return undefined;
    return infix.operation === 'add'
      ? combine('subtract', first, second)
      : combine('subtract', second, first);
  });
}

/** `how much is 83 more than 47` may ask for the difference and for the sum. */
function refuseComparison(cursor: Cursor): undefined {
  const [first, infix, second] = [1, 2, 3].map((offset) => cursor.peek(offset));
  if (
    first?.type === 'number' &&
    infix?.type === 'infix' &&
    infix.reversed === true &&
    second?.type === 'number'
  )
    throw new ArithmeticProblem('whether the sum or the difference is meant is not clear', undefined, true);
}

function readPercentage(cursor: Cursor): Expression {
  cursor.at++;
  const first = readOperand(cursor);
  const before = cursor.current;
  if (first && first === before) throw new ArithmeticProblem('what it is a percentage of is not said', 'b');
  cursor.skipUnknown();
  const isReversed = cursor.particle('of') !== undefined;
  // `20 is what percent of 80` gives the part before.
  const second = first && (readOperand(cursor) ?? (isReversed ? undefined : before));
  if (!first || !second) throw new ArithmeticProblem('a percentage needs two numbers', first ? 'b' : 'a');
  // `what percent of 80 is 20`, but `what percentage is 20 of 80`.
  const [part, whole] = isReversed ? [first, second] : [second, first];
  return combine('multiply', combine('divide', part, whole), numberOf(100));
}

/** `how many 6 in 42`. */
function readContained(cursor: Cursor): Expression | undefined {
  return cursor.attempt(() => {
    cursor.at++;
    const first = readOperand(cursor);
    cursor.skipUnknown();
    const second = first && cursor.particle('in', 'into') ? readOperand(cursor) : undefined;
    return first && second && combine('divide', second, first);
  });
}
