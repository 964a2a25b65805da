import { toComparedText } from '../../base/text/near-duplicate';
import type { RecordedFact } from '../../contracts/facts';
import type { MemoryNode } from '../../stores/memory/node';
import { contentOf } from '../nodes/episodic-node';
import { conceptOf } from '../nodes/semantic-node';
import { computeDigest } from '../../base/ids';

/** Words without which a text says the same. */
const FILLERS = new Set([
  'a',
  'an',
  'the',
  'please',
  'really',
  'well',
  'oh',
  'ok',
  'okay',
  'hi',
  'hello',
  'hey',
]);
/** Punctuation at the ends of words. A question mark stays, because a question says something else. */
const BEFORE = /^[("'“‘[]+/u;
/** A search begins only where a run of these begins, so that a long one inside of a word takes no time. */
const BEHIND = /(?<![.,;:!)"'”’\]…])[.,;:!)"'”’\]…]+$/u;

/** The text of a memory as its user wrote it. Pure. */
export function writtenText(node: MemoryNode): string {
  if (node.kind === 'episodic') return contentOf(node);
  const { concept, description } = conceptOf(node);
  return `${concept} | ${description}`;
}

/**
 * Builds a key that two texts share if they differ only in case, punctuation, articles and fillers. Numbers, names and
 * negations are compared as they are, and so is every other word: "to" and "from", "like" and "liked" are two facts. Pure.
 */
export function buildWordsKey(text: string): string {
  const line = text.replaceAll('’', "'").replaceAll(/\s+/gu, ' ');
  const words = line
    .split(' ')
    .map((word) => word.replace(BEFORE, '').replace(BEHIND, '').toLowerCase())
    .filter((word) => word !== '' && !FILLERS.has(word));
  return computeDigest([words, toComparedText(line).marks]);
}

/**
 * Builds a key that two texts share if they say the same facts in other words, with the same numbers, names and negations.
 * Pure.
 * @param saidFacts the facts that the rules read from the text
 * @returns undefined if the text says anything besides facts that the rules know by name
 */
export function buildFactsKey(text: string, saidFacts: readonly RecordedFact[]): string | undefined {
  const isPlain = saidFacts.every(
    ({ change, certain = true, retracted }) => change === 'holds' && certain && retracted === undefined,
  );
  let rest = text;
  for (const { start, end } of saidFacts)
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  if (saidFacts.length === 0 || !isPlain || /[\p{L}\p{N}]/u.test(rest)) return undefined;
  const facts = saidFacts.map(({ subject, attribute, value }) => [subject, attribute, value?.toLowerCase()]);
  return computeDigest([facts.map((fact) => JSON.stringify(fact)).sort(), toComparedText(text).marks]);
}

/** Builds a key of all that a memory has besides its text. Memories that differ in it are never duplicates. Pure. */
export function buildFrameKey({ kind, labels, body }: MemoryNode): string {
  const { content: _content, concept: _concept, description: _description, accessed: _reads, ...rest } = body;
  // The service itself names the turn that stored a message.
  const { turn: _turn, ...context } = (rest['context'] ?? {}) as Record<string, unknown>;
  return computeDigest([kind, [...labels].sort(), { ...rest, context }]);
}
