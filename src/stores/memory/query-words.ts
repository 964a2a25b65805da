import { queryParts } from '../../base/text/search-parts';

/** The maximum number of different words of a query that a search looks for, and of parts of words. */
const MAX_WORDS = 64;

const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;

/**
 * Words that most English texts contain. Ranking by them is slow, because each match is scored, and hardly improves the result.
 * So they count only if a query has no other words.
 */
const COMMON_WORDS = new Set(
  (
    'a about after all also am an and any are as at be because been but by can could did do does for from had has ' +
    'have he her here him his how i if in into is it its just me my no not of on or our out she so some than that ' +
    'the their them then there these they this to up us was we were what when where which who will with would you your'
  ).split(' '),
);

/**
 * Returns the different words that a text search looks for, in lower case, and the parts of those that are found by parts; they
 * consist of letters and digits. The result is empty if the query has no word.
 */
export function queryWords(query: string): readonly string[] {
  const words = new Set<string>();
  const common = new Set<string>();
  for (const word of textWords(query)) {
    (COMMON_WORDS.has(word) ? common : words).add(word);
    if (words.size === MAX_WORDS) break;
  }
  const parts = [...new Set(queryParts(query))].slice(0, MAX_WORDS);
  return [...new Set([...(words.size > 0 ? words : common), ...parts])];
}

/** Yields the words of a text in lower case, in their order and with repeats. */
export function* textWords(text: string): Iterable<string> {
  for (const [word] of text.matchAll(WORD)) yield word.toLowerCase();
}
