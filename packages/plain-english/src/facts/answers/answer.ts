import { readTopic } from '../../recall/topic';
import type { MemoryAnswer, RecalledText } from '../../recall/types';
import type { FactAnswer, KnownFact } from '../types';
import { idsOf, textsOf } from './texts';
import { type Case, judge, type Model, readCase } from './rank';
import { CHANGE_SIGNS } from './signs';
import type { Value } from './values';
import weights from './weights.json';

/**
 * The answer has a value from this share on, and from a larger one where the plain search finds nothing, because then nothing may be
 * known at all. Both were chosen by leaving out one author at a time.
 */
const MIN_SHARE = 0.55;
const MIN_SHARE_ALONE = 0.6;
/** How likely another value of the same text may be, as a part of the value that holds, so that the answer is the whole text. */
const MAX_BESIDE = 0.5;
/** An end is a change too, though it says nothing of what holds instead. */
const SIGNS_OF_CHANGE = [...CHANGE_SIGNS, 'ended'] as const;
const UNSURE = 'You told me of a change, and I am not sure what holds now.';
const GONE = 'That is no longer so, and I know of nothing in its place.';

/**
 * Answers a question with the value that holds now, from what the user said. It refuses where something changed and no value is
 * likely enough. Undefined where no value is asked for, or where nothing changed since what a plain search of memories finds.
 * @param facts of any time, in the order in which they began; those of memories that were not recalled are read as sentences
 * @param recalled memories as they are stored; what an assistant said counts for nothing
 */
export function answerFromFacts(
  query: string,
  facts: readonly KnownFact[],
  recalled: readonly RecalledText[],
  now: Date,
  model: Model = weights,
): FactAnswer | undefined {
  // All that is known of somebody is no value.
  if (readTopic(query) !== undefined) return undefined;
  const texts = textsOf(recalled, facts);
  const read = readCase(query, texts, now);
  if (!read) return undefined;
  if (!read.recalled && !hasChange(read, 1)) return undefined;
  const { value, values, share } = judge(read, model);
  const isStable = !changesAfter(read, texts);
  if (share < (read.recalled ? MIN_SHARE : MIN_SHARE_ALONE))
    return isStable ? ofFacts(read, facts) : refuse(UNSURE);
  if (!value) return isStable ? ofFacts(read, facts) : read.recalled && refuse(GONE);
  const { best, last } = value;
  const ids = [best, last].map(({ at }) => texts[at.message]?.id ?? '');
  const isWhole = isStable || (!isOfFact(read, facts) && isSaidAlone(value, values));
  const found = isWhole ? read.recalled : undefined;
  const told = found ?? { text: `You told me: ${best.text}.`, sourceIds: ids };
  const answer = withFacts(told, best.text, facts);
  const before = facts.findLast(({ supersededBy = '' }) => answer.factIds.includes(supersededBy));
  return read.question.isPast && before
    ? withFacts({ text: `You told me: ${before.value}.`, sourceIds: idsOf(before) }, before.value, [before])
    : answer;
}

/** Whether what the plain search finds says a value, and no other one that may be taken for it. */
function isSaidAlone(value: Value, values: readonly Value[]): boolean {
  const isBeside = (one: Value): boolean =>
    one !== value && one.recalled && one.weight > MAX_BESIDE * value.weight;
  return value.recalled && !values.some(isBeside);
}

/** What the plain search finds in sentences of facts, as it is not asked for these again. */
function ofFacts(read: Case, facts: readonly KnownFact[]): FactAnswer | undefined {
  const { recalled } = read;
  return recalled && isOfFact(read, facts) ? withFacts(recalled, recalled.text, facts) : undefined;
}

/** Whether the plain search finds a sentence that is made of a fact. */
function isOfFact({ recalled }: Case, facts: readonly KnownFact[]): boolean {
  return facts.some(({ id }) => recalled?.sourceIds.includes(id));
}

function refuse(text: string): FactAnswer {
  return { text, factIds: [], sourceIds: [] };
}

/** Names the facts that say the value, and the memories of all that the answer rests on. */
function withFacts(
  { text, sourceIds }: MemoryAnswer,
  value: string,
  facts: readonly KnownFact[],
): FactAnswer {
  const includes = (one: string, other: string): boolean => one.toLowerCase().includes(other.toLowerCase());
  const used = facts.filter(
    (fact) =>
      (includes(value, fact.value) || includes(fact.value, value)) &&
      idsOf(fact).some((id) => sourceIds.includes(id)),
  );
  const ofFacts = new Set(facts.map(({ id }) => id));
  return {
    text,
    factIds: used.map(({ id }) => id),
    sourceIds: [...new Set(sourceIds)].filter((id) => !ofFacts.has(id)),
  };
}

/** Whether something was said to change with what the plain search answers, or after it. */
function changesAfter(read: Case, texts: readonly RecalledText[]): boolean {
  const { recalled } = read;
  return (
    recalled !== undefined &&
    hasChange(
      read,
      texts.findLastIndex(({ id }) => recalled.sourceIds.includes(id)),
    )
  );
}

/** Whether a message says a change, from a place in the story on. What is said first changes nothing. */
function hasChange({ story }: Case, from: number): boolean {
  return story.clauses.some(
    ({ message, asks, signs: found }) =>
      message >= Math.max(1, from) && !asks && SIGNS_OF_CHANGE.some((sign) => found.has(sign)),
  );
}
