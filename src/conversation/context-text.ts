import type { Recalled } from '../contracts/conversations';
import { countTokens } from '../llm/token-count';
import { stem, wordsOf } from '../text/stem';

/** What a model reads of memory, tokens by the estimate of `countTokens`, where nobody says otherwise. */
export const CONTEXT_TOKENS = 2_000;

/** Two memories that share at least so much of their words say the same (Jaccard index of stems, 0 to 1). */
export const NEAR_DUPLICATE = 0.8;

export interface ContextText {
  /** Empty where memory has nothing to say. */
  readonly text: string;
  /** Ids of the memories in it, in their order. */
  readonly included: readonly string[];
}

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly line: string;
  readonly score: number;
}

/**
 * What memory has, as text for a model: each memory an element of its own, which nothing in it can end. The latest messages
 * of the session come first and in order, then what was recalled, the best first; a memory that nearly repeats one
 * before it is left out, as is what does not fit the budget. Pure.
 */
export function contextText(
  recalled: Pick<Recalled, 'episodic' | 'semantic' | 'recent'>,
  maxTokens: number = CONTEXT_TOKENS,
): ContextText {
  const kept: Entry[] = [];
  let tokens = countTokens(wrap([]));
  const words: ReadonlySet<string>[] = [];
  const take = (entry: Entry): void => {
    const cost = countTokens(entry.line);
    const own = new Set(wordsOf(entry.text).map(stem));
    if (
      kept.some(({ id }) => id === entry.id) ||
      words.some((other) => sharing(own, other) >= NEAR_DUPLICATE)
    ) {
      return;
    }
    if (tokens + cost > maxTokens) return;
    tokens += cost;
    kept.push(entry);
    words.push(own);
  };
  // Of a long session the end matters most, so it is taken from there.
  for (const entry of [...recentEntries(recalled)].reverse()) take(entry);
  kept.reverse();
  for (const entry of recalledEntries(recalled)) take(entry);
  return { text: kept.length === 0 ? '' : wrap(kept), included: kept.map(({ id }) => id) };
}

function recentEntries({ recent }: Pick<Recalled, 'recent'>): Entry[] {
  return recent.map(({ id, role, content, timestamp }) => ({
    id,
    text: content,
    line: element('message', { from: role, time: timestamp }, content),
    score: 1,
  }));
}

function recalledEntries({ episodic, semantic }: Pick<Recalled, 'episodic' | 'semantic'>): Entry[] {
  const events = episodic.map(({ id, content, timestamp, metadata, relevanceScore }) => ({
    id,
    text: content,
    line: element('memory', { from: metadata.source, time: timestamp }, content),
    score: relevanceScore,
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
  return ['<memories>', ...entries.map(({ line }) => line), '</memories>'].join('\n');
}

function element(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join('')}>${escaped(content)}</${name}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function sharing(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1;
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  return both / (one.size + other.size - both);
}
