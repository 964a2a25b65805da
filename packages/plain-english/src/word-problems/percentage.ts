import { combine, type Expression, numberOf, scaled } from '../arithmetic/expression';
import { stem } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Question, Story } from './question';
import { expressIn } from './unit';

const CHANGE =
  /\b(?:increas\w*|decreas\w*|ris(?:e|en)|rose|drop\w*|fall\w*|fell|gr[eo]w\w*|growth|gain|loss|profit|discount|cheaper|dearer|more|less|change\w*|reduc\w*|went (?:up|down)|gone (?:up|down)|sav\w+|off|markup|up|down|return|higher|lower)\b/;
const REST = /\b(?:left|remain\w*|still|not|n't|unsold|unused|free|empty|rest|missing|keeps?|stay\w*)\b/;

export const asksPercentage = ({ text }: Question): boolean => /\bper ?cent\b|\bpercentage\b|%/.test(text);

/** What share one amount is of another, or by what share it changed. */
export function solvePercentage({ facts, question, text, statement }: Story): Expression | undefined {
  const [first, second] = facts;
  if (
    !first ||
    !second ||
    facts.length !== 2 ||
    /\bincluding\b/.test(text) ||
    facts.some(({ isShare, unit }) => isShare || unit.per.length > 0)
  )
    return undefined;
  const same = expressIn(first.unit, second.unit);
  const left = scaled(first.expression, same?.ratio ?? 1);
  const isFirstMore = first.value * (same?.ratio ?? 1) >= second.value;
  const share = (part: Expression, whole: Expression): Expression =>
    combine('multiply', combine('divide', part, whole), numberOf(100));
  if ((CHANGE.test(question.text) || /\bfrom # to #/.test(text)) && !REST.test(question.text)) {
    const isReversed = /\b(?:was|from|used to|before|last|original\w*|old|than)\b/.test(second.before);
    const [old, next, grows] = isReversed
      ? [second.expression, left, isFirstMore]
      : [left, second.expression, !isFirstMore];
    return share(grows ? combine('subtract', next, old) : combine('subtract', old, next), old);
  }
  if (!isSaid(question, statement)) return undefined;
  const [part, whole] = isFirstMore ? [second.expression, left] : [left, second.expression];
  return REST.test(question.text) ? share(combine('subtract', whole, part), whole) : share(part, whole);
}

const ASKED =
  /^(?:percent(?:age)?|fraction|rate|conversion|share|score|scored|full|mark|result|success|total|much|many|what|what's|that|there|still|left|remain\w*|unsold|unused|free|empty|rest|missing|tell|give|gone)$/;

/** True where the story says of one of the amounts what is asked: `8 of 50 are broken` says nothing of those that work. */
function isSaid({ text }: Question, statement: string): boolean {
  const said = new Set(statement.split(' ').map(stem));
  return text
    .split(' ')
    .every((word) => word.length < 4 || STOP_WORDS.has(word) || ASKED.test(word) || said.has(stem(word)));
}
