import { readTopic } from '../../recall/topic';
import type { MemoryAnswer, RecalledText } from '../../recall/types';
import type { FactAnswer, KnownFact } from '../types';
import { idsOf, textsOf } from './texts';
import { type Case, judge, type Model, readCase } from './rank';
import { CHANGE_SIGNS } from './signs';
import weights from './weights.json';

/** A value is told from this share on; chosen by leaving out one author of lives at a time. */
const MIN_SHARE = 0.55;
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
  const { value, share } = judge(read, model);
  const isStable = !changesAfter(read, texts);
  if (share < MIN_SHARE) return isStable ? ofFacts(read, facts) : refuse(UNSURE);
  if (!value) return isStable ? ofFacts(read, facts) : read.recalled && refuse(GONE);
  const { best, last } = value;
  const ids = [best, last].map(({ at }) => texts[at.message]?.id ?? '');
  const found = isStable ? read.recalled : undefined;
  const told = found ?? { text: `You told me: ${best.text}.`, sourceIds: ids };
  const answer = withFacts(told, best.text, facts);
  const before = facts.findLast(({ supersededBy = '' }) => answer.factIds.includes(supersededBy));
  return read.question.isPast && before
    ? withFacts({ text: `You told me: ${before.value}.`, sourceIds: idsOf(before) }, before.value, [before])
    : answer;
}

/** What the plain search finds in sentences of facts, as it is not asked for these again. */
function ofFacts({ recalled }: Case, facts: readonly KnownFact[]): FactAnswer | undefined {
  const isOfFact = facts.some(({ id }) => recalled?.sourceIds.includes(id));
  return recalled && isOfFact ? withFacts(recalled, recalled.text, facts) : undefined;
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
