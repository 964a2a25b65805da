import { combine, evaluate, type Expression, scaled } from '../arithmetic/expression';
import { fitOf } from './fit';
import type { Question } from './question';
import { isPlain, type Term } from './term';
import { expressIn } from './unit';
import { UNKNOWN } from './units';

/**
 * An amount and what is added to it and taken from it, each as the story says. However many there are, nothing has to be
 * assumed; undefined where the units differ or less than nothing would be left.
 */
export function foldChanges(terms: readonly Term[], question: Question): Expression | undefined {
  const [first, ...rest] = terms;
  if (!first || rest.length < 2 || first.sign < 0 || !isPlain(first)) return undefined;
  if (question.unit.of[0] !== UNKNOWN && fitOf(first.unit, question)?.ratio !== 1) return undefined;
  let result = first.expression;
  for (const { unit, sign, expression } of rest) {
    const same = expressIn(unit, first.unit);
    if (!same || sign === 0) return undefined;
    result = combine(sign < 0 ? 'subtract' : 'add', result, scaled(expression, same.ratio));
  }
  return (evaluate(result) ?? -1) < 0 ? undefined : result;
}
