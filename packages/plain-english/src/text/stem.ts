import suffixes from './lexicon/suffixes.json';

/*
 * The stems by which the rules compare words. The service has a copy of its own for what it stores; the two must not be shared,
 * because a change here would then leave stored vectors and words that nothing finds.
 */

/** Suffixes, each with what stays in its place and the minimum length of the stem. A light version of Porter's first steps. */
const RULES = suffixes.map((line) => {
  const [suffix = '', replacement = '', minStem] = line.split(' ');
  return { suffix, replacement: replacement === '-' ? '' : replacement, minStem: Number(minStem) };
});
const cache = new Map<string, string>();
/** Words repeat; a bound keeps foreign text from filling memory. */
const MAX_CACHED = 5_000;

/** The stem of an English word in lower case: the same for `convert`, `converts`, `converting`, `converter`. */
export function stem(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const result = compute(word);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(word, result);
  return result;
}

function compute(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  for (const { suffix, replacement, minStem } of RULES) {
    if (!word.endsWith(suffix) || word.length - suffix.length < minStem) continue;
    if (suffix === 's' && /(?:ss|us|is)$/.test(word)) return word;
    const base = word.slice(0, -suffix.length) + replacement;
    return tidy(base);
  }
  return word;
}

/** `running` leaves `runn`, `copied` leaves `copy`, which has to meet `copi`. */
function tidy(base: string): string {
  const undoubled = /([bdgklmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
  return undoubled.length > 3 && undoubled.endsWith('e') ? undoubled.slice(0, -1) : undoubled;
}

/** The words of an identifier or a text in lower case: `orderId`, `order_id` and `order id` are the same two. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
