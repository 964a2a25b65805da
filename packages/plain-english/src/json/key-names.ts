import { isTypoOf } from '../text/edit-distance';
import { wordsOf } from '../text/stem';

/** How well words name a key: 3 letter by letter, 2 but for plural or abbreviation, 1 with a slip, 0 not at all. */
export function keyLikeness(words: readonly string[], key: string): 0 | 1 | 2 | 3 {
  const wanted = words.join('');
  const actual = wordsOf(key).join('');
  if (wanted === '' || actual === '') return 0;
  if (wanted === actual) return 3;
  if (singular(wanted) === singular(actual)) return 2;
  return isTypoOf(wanted, actual) || isTypoOf(singular(wanted), singular(actual)) ? 1 : 0;
}

export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.length > 2 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

export function plural(word: string): string {
  if (singular(word) !== word) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
