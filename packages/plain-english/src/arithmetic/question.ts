import { ArithmeticProblem, type Cursor } from './cursor';
import { combine, numberOf, type Expression } from './expression';
import type { QuestionName } from './lexicon';
import { readOperand } from './operand';

/** A question that is an operation by itself; undefined where it only introduces one. */
export function readQuestion(cursor: Cursor, name: QuestionName): Expression | undefined {
  if (name === 'percentOf') return readPercentage(cursor);
  return name === 'howMany' ? readContained(cursor) : undefined;
}

function readPercentage(cursor: Cursor): Expression {
  cursor.at++;
  const first = readOperand(cursor);
  const before = cursor.current;
  if (first && first === before) throw new ArithmeticProblem('what it is a percentage of is not said', 'b');
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
  return cursor.attempt(() => {
    cursor.at++;
    const first = readOperand(cursor);
    cursor.skipUnknown();
    const second = first && cursor.particle('in', 'into') ? readOperand(cursor) : undefined;
    return first && second && combine('divide', second, first);
  });
}
