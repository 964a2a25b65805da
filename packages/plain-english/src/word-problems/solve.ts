import { evaluate, type Expression, numberOf } from '../arithmetic/expression';
import { isKindOf } from '../recall/kinds';
import { isKnown } from './asked-unit';
import { factsOf } from './facts';
import type { Item } from './items';
import { joinFacts } from './join-facts';
import { solveAverage, solveWork } from './mean';
import { textOf } from './nouns';
import { asksPercentage, solvePercentage } from './percentage';
import { questionOf, type Story } from './question';
import { hasRelation, solveRelation } from './relations';
import { settleUnits } from './settle-units';
import { solveShare } from './share-story';
import { asksOpposite } from './shares';
import { asksDifference, solveByUnits } from './solve-by-units';
import { isTime, unitOf } from './units';

/** The calculation that a short story with a question asks for; undefined where it is not clear. */
export function solveStory(items: readonly Item[]): Expression | undefined {
  const text = textOf(items).replaceAll(" 's", "'s");
  const facts = joinFacts(factsOf(items), items, text);
  const question = questionOf(items, facts);
  if (!question) return undefined;
  const story = { facts, question, text, statement: text.replace(question.text, ' ') };
  if (namesOther(story)) return undefined;
  const solution = solve(story);
  return solution?.kind === 'operation' && Number.isFinite(evaluate(solution) ?? Number.NaN)
    ? solution
    : undefined;
}

/** Words for whatever was counted. */
const ANYTHING = /^(?:items?|things?|pieces?|articles?|objects?|people|persons?)$/;

/** True where things are asked for of which the story does not speak: `96 pencils for 32 students, how many pens each`. */
function namesOther({ facts, question: { thing, text: asked }, statement }: Story): boolean {
  if (thing === undefined || ANYTHING.test(thing) || !statement.includes('#')) return false;
  if (asksOpposite(statement, asked) || isKnown(unitOf(thing), facts)) return false;
  if (statement.split(' ').map(unitOf).includes(unitOf(thing))) return false;
  const counted = facts.flatMap(({ after }) => after.split(' ').slice(0, 3));
  return !counted.some((word) => isKindOf(word, thing) || isKindOf(thing, word));
}

/** A question that is a calculation itself is read as one. */
const SPOKEN = /# (?:plus|minus|times|divided by|multiplied by|[-+*/x×÷]) #/;

/** Offers whose rule is in the words alone. */
const UNSOLVED =
  /# parts? (?:of )?\w+ (?:to|and) # parts?|\band (?:my |the )?\w+ one(?= [.,;?]|$)|\b(?:compound\w*|ratio|for the price of|nothing|except|there and back|both ways|each way|the same back)\b|\b(?:second|third|next|other)(?: \w+)? # price\b|\b(?:first|each|every) (?:further|additional|extra|hour|day|week|month|year|kilometre|km|mile)\b.*\b(?:further|additional|extra|after that|then)\b|# (?:off|discount|tax|interest)(?: \w+){0,3} (?:above|over|under|below|beyond|from) #/;

/** Words for an amount, or for what changes one, that no reader here knows: a result without them is one of another story. */
const UNREAD =
  /\ba (?:bit|little) (?:\w+er|more|less)\b|\bquite (?:a few|some)\b|\b(?:halves|thirds|quarters|doubles?|doubled|tripled?|halved|zero|except|weekdays?|working days?|every other|each other|round trip|return trip|instead|nobody|none|never|(?:mon|tues|wednes|thurs|fri)day (?:to|through|till|until) \w+day)\b|\b(?:did|do|does|was|were|is|are|has|have|could|can)(?: not|n't)\b/;

function solve(found: Story): Expression | undefined {
  const story = { ...found, facts: settleUnits(found) };
  const { facts, question, text, statement } = story;
  if (facts.length === 0) return undefined;
  if (UNSOLVED.test(text) || SPOKEN.test(question.text) || UNREAD.test(statement)) return undefined;
  if (asksPercentage(question)) return solvePercentage(story);
  const shares = facts.filter(
    ({ isShare, after }) => isShare && !/^as (?:many|much|old|long|tall|heavy|far|big)\b/.test(after),
  );
  const [share] = shares;
  // The interest of a year is a share of the amount, and no rate.
  const asked = /\binterest\b/.test(question.text)
    ? { ...question, unit: { of: question.unit.of, per: [] } }
    : question;
  if (share) return shares.length === 1 ? solveShare({ ...story, question: asked }, share) : undefined;
  const isMultiple = / as (?:many|much|old|long) /.test(` ${statement} `) && !/ than /.test(statement);
  const related = asksDifference(question) && !isMultiple ? undefined : solveRelation(story);
  if (related ?? (hasRelation(text, question.text) || / than | as (?:many|much) /.test(statement)))
    return related;
  return solveAverage(story) ?? solveWork(story) ?? solveByUnits(story) ?? solvePeriod(story);
}

/** `a fee of 40 and 25 a month, in the first year`: so much for the whole period. */
function solvePeriod(story: Story): Expression | undefined {
  const { facts, question } = story;
  const { of, per } = question.unit;
  const [name] = per;
  const last = facts.at(-1);
  if (!last || !isTime(name)) return undefined;
  const period = { ...last, value: 1, expression: numberOf(1), unit: { of: per, per: [] } };
  return solveByUnits({
    ...story,
    facts: [...facts, period],
    question: { ...question, unit: { of, per: [] } },
  });
}
