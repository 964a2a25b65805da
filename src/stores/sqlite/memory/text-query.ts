/** Most different words of a query that are searched for. */
const MOST_WORDS = 64;

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
 * The FTS5 expression that finds texts with any of the words; undefined where there is no word. Each word is a
 * quoted string made of letters and digits, so that nothing in the query is taken for syntax.
 */
export function matchExpression(query: string): string | undefined {
  const words = new Set<string>();
  const common = new Set<string>();
  for (const [word] of query.matchAll(WORD)) {
    const lower = word.toLowerCase();
    (COMMON_WORDS.has(lower) ? common : words).add(lower);
    if (words.size === MOST_WORDS) break;
  }
  const wanted = words.size > 0 ? words : common;
  if (wanted.size === 0) return undefined;
  return [...wanted].map((word) => `"${word}"`).join(' OR ');
}
