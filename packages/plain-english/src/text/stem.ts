import irregular from './lexicon/irregular.json';
import suffixes from './lexicon/suffixes.json';

/*
 * The stems by which the rules compare words. The service has a copy of its own for what it stores; the two must not be shared,
 * because a change here would then leave stored vectors and words that nothing finds.
 */

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

/** Takes off the first suffix that leaves enough of a stem: a light version of Porter's first steps. */
function compute(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  for (const { suffix, instead, minStem } of suffixes) {
    if (!word.endsWith(suffix) || word.length - suffix.length < minStem) continue;
    if (suffix === 's' && /(?:ss|us|is)$/.test(word)) return word;
    return tidy(word.slice(0, -suffix.length) + instead);
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

const VERBS: ReadonlyMap<string, string> = new Map(Object.entries(irregular.verbs));
const NOUNS: ReadonlyMap<string, string> = new Map(Object.entries(irregular.nouns));
const PLURALS = new Map(Array.from(NOUNS, ([many, one]) => [one, many]));

/** The base form of an irregular verb, `drove` is `drive`; any other word as it is. */
export function baseForm(word: string): string {
  return VERBS.get(word) ?? word;
}

/** The singular of an English noun, by its ending if it is regular. */
export function singular(noun: string): string {
  const known = NOUNS.get(noun);
  if (known !== undefined) return known;
  if (noun.length < 4 || !noun.endsWith('s') || /(?:ss|us|is)$/.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return /(?:sh|ch|x|z|ss|o)es$/.test(noun) ? noun.slice(0, -2) : noun.slice(0, -1);
}

export function plural(noun: string): string {
  const known = PLURALS.get(noun);
  if (known !== undefined) return known;
  if (singular(noun) !== noun) return noun;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
