import { combine, foldAll, numberOf, type Expression } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Question } from './question';
import { mergeRates, sharesUnit } from './terms';
import { ratioOf, unitOf } from './units';

const ASKS_COUNT = /^how (?:many|long|often|much time)\b/;

/** So much for each, times how many; or how often it fits into a total. */
export function solveRates(facts: readonly Fact[], question: Question): Expression | undefined {
  if (facts.some(({ percent }) => percent)) return undefined;
  const [first, second] = facts;
  if (facts.length === 1 && first) return convert(first, question);
  if (facts.length !== 2 || !first || !second || /\bleft\b|\bremain|\bchange\b/.test(question.text))
    return undefined;
  const terms = mergeRates(facts);
  const [term] = terms;
  if (term && terms.length === 1) {
    const fits =
      question.each === undefined ||
      question.each === term.per ||
      (term.per === undefined && isOverall(question));
    return fits ? term.expression : undefined;
  }
  const [rate, amount] = first.per === undefined ? [second, first] : [first, second];
  if (rate.per === undefined || amount.per !== undefined || !sharesUnit(rate, amount)) return undefined;
  return ASKS_COUNT.test(question.text) && question.each === undefined
    ? combine('divide', amount.expression, rate.expression)
    : undefined;
}

/** `how much is that a week`, of days counted in the week. */
function isOverall({ text }: Question): boolean {
  return /\b(?:total|altogether|in all)\b/.test(text);
}

/** `how many minutes are in 3 hours`. */
function convert(fact: Fact, { counted, each, text }: Question): Expression | undefined {
  const { per } = fact;
  const period = per !== undefined && each !== undefined ? ratioOf(per, each) : undefined;
  // So much a year is a twelfth of it a month.
  if (period !== undefined)
    return combine(period > 0 ? 'divide' : 'multiply', fact.expression, numberOf(Math.abs(period)));
  const wanted = counted ?? /^how much is that in (\w+)/.exec(text)?.[1];
  if (wanted === undefined || fact.per !== undefined || fact.units[0] === undefined) return undefined;
  const ratio = ratioOf(fact.units[0], unitOf(wanted));
  if (ratio === undefined) return undefined;
  return combine(ratio > 0 ? 'multiply' : 'divide', fact.expression, numberOf(Math.abs(ratio)));
}

const TOTAL =
  /\b(?:total|altogether|add up|adds up|combined|in all|all together|sum|pay|cost|costs|spend|owe|come to|bill|how (?:much|many)(?: \w+)? (?:is|are) (?:that|it|there))\b/;
const EXPLICIT = /\b(?:total|altogether|add up|adds up|combined|in all|all together|sum|come to)\b/;
const MULTIPLE =
  /\btimes\b|\btwice\b|\bhalf\b|\bchange\b|\bleft\b|\bdiscount\b|\baverage\b|\bmore than\b|\bless than\b|\bfewer than\b|\bprofit\b/;
const OUTGOING = /\b(?:gave|lost|ate|sold|broke|minus|off|away)\b/;

/** All amounts together; prices with their counts first. */
export function solveTotal(facts: readonly Fact[], question: Question, text: string): Expression | undefined {
  const terms = mergeRates(facts);
  const merged = terms.length < facts.length;
  if (terms.length < 2 || !TOTAL.test(question.text) || MULTIPLE.test(text)) return undefined;
  if (question.each !== undefined) return undefined;
  if (!merged && !EXPLICIT.test(question.text)) return undefined;
  if (terms.some(({ percent, per }) => percent || per !== undefined)) return undefined;
  if (
    terms.some(
      ({ before, after }) => OUTGOING.test(before.join(' ')) || OUTGOING.test(after.slice(0, 3).join(' ')),
    ) &&
    !merged
  )
    return undefined;
  // Prices and counts cannot be added up.
  if (terms.some(({ money, units }) => money || units.length > 0) && mixed(terms, merged)) return undefined;
  return foldAll(
    'add',
    terms.map(({ expression }) => expression),
  );
}

function mixed(terms: readonly Fact[], merged: boolean): boolean {
  if (merged)
    return terms.some(
      ({ money, before, expression }) =>
        !money &&
        expression.kind === 'number' &&
        !/\b(?:for|plus|costs?|fee|delivery|at)\b/.test(before.join(' ')),
    );
  return terms.some(({ money }) => money) && terms.some(({ money, units }) => !money && units.length > 0);
}

/** `what is my average`, of amounts of one kind. */
export function solveAverage(facts: readonly Fact[], question: Question): Expression | undefined {
  if (facts.length < 2 || !/\b(?:average|mean)\b/.test(question.text) || question.each !== undefined)
    return undefined;
  if (/\bspeed\b/.test(question.text)) return undefined;
  if (
    facts.some(
      ({ percent, per, before }) =>
        percent || per !== undefined || /\b(?:in|over|for|during)$/.test(before.join(' ')),
    )
  )
    return undefined;
  const sum = foldAll(
    'add',
    facts.map(({ expression }) => expression),
  );
  return sum && combine('divide', sum, numberOf(facts.length));
}
