/** Most different words of a query that are searched for. */
const MAX_WORDS = 64;

const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;

/**
 * Words that are in most English texts: to rank by them takes long (each match is scored) and tells little.
 * They count where a query has no others.
 */
const COMMON_WORDS = new Set(
  (
    'a about after all also am an and any are as at be because been but by can could did do does for from had has ' +
    'have he her here him his how i if in into is it its just me my no not of on or our out she so some than that ' +
    'the their them then there these they this to up us was we were what when where which who will with would you your'
  ).split(' '),
);

/**
 * The words that a search by text looks for, in lower case, each once: letters and digits alone. Empty where the
 * query has no word.
 */
export function queryWords(query: string): readonly string[] {
  const words = new Set<string>();
  const common = new Set<string>();
  for (const word of textWords(query)) {
    (COMMON_WORDS.has(word) ? common : words).add(word);
    if (words.size === MAX_WORDS) break;
  }
  return [...(words.size > 0 ? words : common)];
}

/** The words of a text in lower case, as they come. */
export function* textWords(text: string): Iterable<string> {
  for (const [word] of text.matchAll(WORD)) yield word.toLowerCase();
}
