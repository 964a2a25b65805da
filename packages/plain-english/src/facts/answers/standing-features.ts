import { common, type Features, put } from './features';
import type { Question } from './question';
import type { StoryClause } from './story';
import type { Value } from './values';

/** The shares of the greatest weight from which on a value is likely, and from which on a later one counts. */
const MIN_LIKELY = 0.3;
const MIN_LATER = 0.2;
/** What a word counts; less than other features do, because there are many words. */
const OF_WORD = 0.5;
/** Clauses after a mention whose words count. */
const AFTER = 2;

/** How a value stands among the others: in time, by its weight, and by what of the question is said around it. */
export function addStanding(
  features: Features,
  question: Question,
  value: Value,
  values: readonly Value[],
  clauses: readonly StoryClause[],
): void {
  const { weight, best, last, mentions } = value;
  const { topics, classes, want, nouns, verb, isPast } = question;
  const end = clauses.at(-1) ?? last.at;
  const max = maxWeight(values);
  const others = values.filter((one) => one !== value);
  const isLater = (one: Value): boolean => one.last.at.order > last.at.order && one.weight > MIN_LATER * max;
  // Counts are capped, and divided so that they are about as large as other features.
  put(features, 'likely and later', Math.min(5, others.filter(isLater).length));
  put(features, 'messages since', messagesSince(value, clauses));
  put(features, 'clauses since', Math.min(20, end.order - last.at.order) / 10);
  put(features, 'in last message', end.message === last.at.message);
  put(features, 'mentions', Math.min(4, mentions.length));
  put(features, 'likelier', Math.min(6, others.filter((one) => one.weight > weight).length) / 3);
  put(features, 'margin', weight - maxWeight(others));
  put(features, 'likely', countLikely(values));
  put(features, `kind ${best.kind}`, 1);
  put(features, `want ${want}`, 1);
  put(features, 'asks for past', isPast);
  put(features, 'asks for noun', nouns.length > 0);
  const inMessage = clauses.filter(({ message }) => message === last.at.message);
  const said = new Set(inMessage.flatMap((one) => [...one.topics]));
  put(features, 'last cover', common(topics, last.at.topics) / Math.max(1, topics.size));
  put(features, 'message cover', common(topics, said) / Math.max(1, topics.size));
  put(features, 'last of class', common(classes, last.at.classes) > 0);
  put(features, 'last verb asked', verb !== '' && last.at.action === verb);
  put(features, 'last asks', last.at.asks);
  put(features, 'best is first', best === mentions[0]);
}

/** The words around the last mention of a value, and those with which its message continues. */
export function addWords(features: Features, { last }: Value, clauses: readonly StoryClause[]): void {
  const { at, from, to } = last;
  putWords(features, 'before', at.lowers.slice(0, from));
  putWords(features, 'after', at.lowers.slice(to));
  for (const { message, lowers } of clauses.slice(at.order + 1, at.order + 1 + AFTER))
    if (message === at.message) putWords(features, 'since', lowers);
}

/** What of all that speaks for it that no value holds. */
export function addNothingStanding(
  features: Features,
  { want, isPast }: Question,
  values: readonly Value[],
  clauses: readonly StoryClause[],
): void {
  const [best, second] = values;
  put(features, 'nothing: likely', countLikely(values));
  put(features, `nothing: want ${want}`, 1);
  put(features, 'nothing: asks for past', isPast);
  if (!best) return;
  put(features, 'nothing: messages since', messagesSince(best, clauses));
  put(features, 'nothing: margin', best.weight - (second?.weight ?? 0));
  putWords(features, 'nothing: said', best.last.at.lowers);
}

function putWords(features: Features, place: string, words: readonly string[]): void {
  for (const word of words) put(features, `${place} ${word}`, OF_WORD);
}

function maxWeight(values: readonly Value[]): number {
  return Math.max(0, ...values.map(({ weight }) => weight));
}

/** How many values are likely, in threes. */
function countLikely(values: readonly Value[]): number {
  const max = maxWeight(values);
  return Math.min(6, values.filter(({ weight }) => weight > MIN_LIKELY * max).length) / 3;
}

/** How many messages came after the last mention of a value, in fives. */
function messagesSince({ last }: Value, clauses: readonly StoryClause[]): number {
  return Math.min(10, (clauses.at(-1)?.message ?? 0) - last.at.message) / 5;
}
