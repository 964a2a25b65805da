/*
 * Stored data depends on these stems: the vectors of the built-in embedder, and the words by which Neo4j finds
 * memories. With another stemmer all of them would have to be computed again. packages/plain-english has a separate
 * copy, which may change, so the two must not be shared.
 */

/** Suffixes by length, each with its replacement. This is a simplified version of Porter's first steps. */
const RULES: readonly (readonly [suffix: string, replacement: string, minStem: number])[] = [
  ['isations', 'iz', 3],
  ['izations', 'iz', 3],
  ['isation', 'iz', 3],
  ['ization', 'iz', 3],
  ['ations', 'at', 2],
  ['ation', 'at', 2],
  ['ating', 'at', 2],
  ['ates', 'at', 2],
  ['ated', 'at', 2],
  ['ate', 'at', 2],
  ['ators', 'at', 2],
  ['ator', 'at', 2],
  ['ments', 'ment', 2],
  ['ions', '', 3],
  ['ion', '', 3],
  ['ies', 'y', 2],
  ['ied', 'y', 2],
  ['sses', 'ss', 1],
  ['ches', 'ch', 1],
  ['shes', 'sh', 1],
  ['xes', 'x', 1],
  ['ings', '', 3],
  ['ing', '', 3],
  ['ers', '', 4],
  ['er', '', 4],
  ['ors', '', 4],
  ['or', '', 4],
  ['eed', 'ee', 1],
  ['ed', '', 3],
  ['ly', '', 4],
  ['es', '', 3],
  ['s', '', 2],
  ['e', '', 3],
];
const cache = new Map<string, string>();
/** Words repeat, so their stems are cached; the limit keeps arbitrary text from filling memory. */
const MAX_CACHED = 5_000;

/**
 * Returns the stem of an English word in lower case, which is the same for `convert`, `converts`, `converting`,
 * `converter`.
 */
export function stem(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const result = computeStem(word);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(word, result);
  return result;
}

function computeStem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  for (const [suffix, replacement, minStem] of RULES) {
    if (!word.endsWith(suffix) || word.length - suffix.length < minStem) continue;
    if (suffix === 's' && /(?:ss|us|is)$/.test(word)) return word;
    const base = word.slice(0, -suffix.length) + replacement;
    return normaliseStem(base);
  }
  return word;
}

/**
 * Removes a doubled consonant (`running` gives `runn`) and a final `e`, so that forms of one word get the same stem.
 */
function normaliseStem(base: string): string {
  const undoubled = /([bdgklmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
  return undoubled.length > 3 && undoubled.endsWith('e') ? undoubled.slice(0, -1) : undoubled;
}

/**
 * Splits an identifier or a text into words in lower case: `orderId`, `order_id` and `order id` give the same two
 * words.
 */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
