import { combine, type Expression } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Question } from './question';
import { SHARERS, TIME_UNITS, unitOf } from './units';

const SPREADS =
  /\b(?:shar(?:e|es|ed|ing)|split|splits|splitting|divid(?:e|es|ed|ing)|distribut\w{1,4}|spread|dealt|handed out|go(?:es)? evenly|instal?lments?|equally|evenly)\b/;
const INTO = new Set(['among', 'amongst', 'between', 'into', 'over', 'across']);
const WEAK = new Set(['in', 'for', 'to', 'by', 'with', 'is', 'of', 'takes', 'took', 'lasts', 'during']);
const REMAINDER = /\b(?:left over|leftover|remainder|remain\w{0,5}|left|spare)\b/;

/** So much for so many: what one of them gets. */
export function solveShares(
  facts: readonly Fact[],
  question: Question,
  text: string,
): Expression | undefined {
  const [first, second] = facts;
  if (!first || !second || facts.length !== 2 || facts.some(({ percent }) => percent)) return undefined;
  if (REMAINDER.test(question.text)) return undefined;
  const { each } = question;
  if (each === undefined && !SPREADS.test(text) && !isSpeed(question)) return undefined;
  const [a, b] = [countScore(first, question, text), countScore(second, question, text)];
  if (a === b || Math.max(a, b) <= 0) return undefined;
  const [whole, count] = a > b ? [second, first] : [first, second];
  // A rate is no total: `8 boxes at 3 euros each, how much is each box` is answered by the text itself.
  if (count.money || (whole.per !== undefined && isRateOf(whole, count))) return undefined;
  if (count.per !== undefined && count.per !== 'each') return undefined;
  return combine('divide', whole.expression, count.expression);
}

function isSpeed({ text }: Question): boolean {
  return /\bspeed\b|\bhow fast\b/.test(text);
}

function isRateOf(whole: Fact, count: Fact): boolean {
  return whole.per === 'each' || (whole.per !== undefined && count.units.includes(whole.per));
}

/** How surely a fact is the number of shares. */
function countScore(fact: Fact, question: Question, text: string): number {
  const { each } = question;
  const preposition = fact.before.at(-1) ?? '';
  const named = fact.units.find((unit) => unit === each);
  let score = 0;
  if (each !== undefined && named !== undefined) score += 4;
  if (isSpeed(question) && fact.units.some((unit) => TIME_UNITS.has(unit))) score += 4;
  // A thing that is asked of must be counted, unless its name says only that there is one.
  if (
    each !== undefined &&
    each !== 'each' &&
    named === undefined &&
    !SHARERS.has(each) &&
    each !== unitOf('share')
  )
    return INTO.has(preposition) && SPREADS.test(text) ? 1 : 0;
  if (fact.units.some((unit) => SHARERS.has(unit))) score += 2;
  if (
    /\b(?:we are|we're|we were|there are|there were|there's) ?(?:about)?$/.test(
      fact.before.join(' ').replaceAll(" 're", "'re"),
    )
  )
    score += 1;
  if (/^of (?:us|them|you)\b/.test(fact.after.join(' '))) score += 2;
  if (INTO.has(preposition) || /\b(?:among|amongst|between|into)\b/.test(fact.before.slice(-3).join(' ')))
    score += 2;
  else if (WEAK.has(preposition)) score += 0.5;
  if (question.counted !== undefined && fact.units.includes(question.counted)) score -= 3;
  if (fact.money) score -= 4;
  return score;
}
