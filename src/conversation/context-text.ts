import type { Recalled } from '../contracts/http/conversations';
import { countTokens } from '../llm/token-count';
import { element, listElement } from '../base/text/elements';
import { isNearDuplicate, toComparedText, type ComparedText } from '../base/text/near-duplicate';

/** The default for how much a model reads of memory, tokens by the estimate of `countTokens`. */
export const CONTEXT_TOKENS = 2_000;

/** Maximum share of the budget for the latest messages, because recalled memories answer more often. */
const RECENT_SHARE = 0.5;

export interface ContextText {
  /** Empty if memory has nothing on the query. */
  readonly text: string;
  /** Ids of the memories in it, in their order. */
  readonly included: readonly string[];
}

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly line: string;
  readonly score: number;
  /** Epoch milliseconds; absent for knowledge, which belongs to no time. */
  readonly time?: number;
}

/** An entry that is in the text. */
interface Kept {
  readonly entry: Entry;
  readonly saying: ComparedText;
  readonly cost: number;
}

/**
 * Builds the text of memories for a model. Each memory is a separate element, which its content cannot close. The
 * latest messages of the session come first and in order, as far back as half of the budget goes; then the recalled
 * memories, the best first. Of memories that say nearly the same only the latest is included, in the place of the best.
 * Memories that do not fit are left out. Pure.
 * @param recentShare the maximum share of the latest messages, 0 to 1; with 1 memories have what these leave
 */
export function contextText(
  recalled: Pick<Recalled, 'episodic' | 'semantic' | 'recent'>,
  maxTokens: number = CONTEXT_TOKENS,
  recentShare: number = RECENT_SHARE,
): ContextText {
  const budget = maxTokens - countTokens(wrap([]));
  // The end of a long session matters most, so messages are taken from there.
  const recent = pickLatest(
    [...recentEntries(recalled)].reverse(),
    Math.floor(budget * recentShare),
  ).reverse();
  const keptEntries = [...recent, ...pickBest(recalledEntries(recalled), recent, budget - sumCosts(recent))];
  const entries = keptEntries.map(({ entry }) => entry);
  return { text: entries.length === 0 ? '' : wrap(entries), included: entries.map(({ id }) => id) };
}

/** Stops at the first message that does not fit, because a session with a gap would mean something else. */
function pickLatest(latestFirst: readonly Entry[], budget: number): Kept[] {
  const keptEntries: Kept[] = [];
  for (const entry of latestFirst) {
    const one = toKept(entry);
    if (keptEntries.some((each) => saysSame(each, one))) continue;
    if (sumCosts(keptEntries) + one.cost > budget) break;
    keptEntries.push(one);
  }
  return keptEntries;
}

/**
 * Picks the entries that fit and that repeat neither a message of the session nor a better entry. A later entry that
 * says the same takes the place of the better one.
 */
function pickBest(bestFirst: readonly Entry[], recent: readonly Kept[], budget: number): Kept[] {
  const keptEntries: Kept[] = [];
  for (const entry of bestFirst) {
    const one = toKept(entry);
    if (recent.some((each) => saysSame(each, one))) continue;
    const at = keptEntries.findIndex((each) => saysSame(each, one));
    const replaced = keptEntries[at];
    if (replaced !== undefined && !isLater(one, replaced)) continue;
    if (sumCosts(keptEntries) - (replaced?.cost ?? 0) + one.cost > budget) continue;
    keptEntries.splice(replaced === undefined ? keptEntries.length : at, replaced === undefined ? 0 : 1, one);
  }
  return keptEntries;
}

function toKept(entry: Entry): Kept {
  return { entry, saying: toComparedText(entry.text), cost: countTokens(entry.line) };
}

function saysSame(one: Kept, other: Kept): boolean {
  return one.entry.id === other.entry.id || isNearDuplicate(one.saying, other.saying);
}

/** Whether `one` is later. Ids decide between equal times, because they are in the order of creation. */
function isLater({ entry: one }: Kept, { entry: other }: Kept): boolean {
  const between = (one.time ?? 0) - (other.time ?? 0);
  return between > 0 || (between === 0 && one.id > other.id);
}

function sumCosts(keptEntries: readonly Kept[]): number {
  return keptEntries.reduce((sum, { cost }) => sum + cost, 0);
}

function recentEntries({ recent }: Pick<Recalled, 'recent'>): Entry[] {
  return recent.map(({ id, role, content, timestamp }) => ({
    id,
    text: content,
    line: element('message', { from: role, time: timestamp }, content),
    score: 1,
    ...(timestamp === undefined ? {} : { time: Date.parse(timestamp) }),
  }));
}

function recalledEntries({ episodic, semantic }: Pick<Recalled, 'episodic' | 'semantic'>): Entry[] {
  const events = episodic.map(({ id, content, timestamp, metadata, relevanceScore }) => ({
    id,
    text: content,
    line: element('memory', { from: metadata.source, time: timestamp }, content),
    score: relevanceScore,
    time: Date.parse(timestamp),
  }));
  const knowledge = semantic.map(({ id, concept, description, metadata, similarityScore }) => ({
    id,
    text: `${concept} ${description}`,
    line: element('knowledge', { category: metadata.category }, `${concept}: ${description}`),
    score: similarityScore,
  }));
  return [...events, ...knowledge].sort(
    (one, other) => other.score - one.score || (one.id < other.id ? -1 : 1),
  );
}

function wrap(entries: readonly Entry[]): string {
  return listElement(
    'memories',
    entries.map(({ line }) => line),
  );
}
