import askedWith from '../text/lexicon/asked-with.json';
import { isTypoOf } from '../text/edit-distance';
import { stem, wordsOf } from '../text/stem';
import { wordsTagged } from '../text/lexicon/words';

/** How much a word of a key has to be said: a unit or `is` may be left out, `price` may not. */
const WEAK_WEIGHT = 0.2;
const WEAK = new Set('is has was at on in the are'.split(' '));
const UNITS = wordsTagged('key-words-units');
/** What is asked with an adjective or a verb, and what the key of the answer is called. */
const ASKED_WITH = askedWith.map((group) => group.split(' ').map(stem));

const alike = new Map<string, Set<string>>();
for (const group of ASKED_WITH) {
  for (const word of group) alike.set(word, new Set([...(alike.get(word) ?? []), ...group]));
}
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** The words of a key or of a word of a sentence that may be one: `addressLine2` is three. */
export function keyWords(key: string): string[] {
  return wordsOf(key.replaceAll(/(\p{Ll}{2})(\d)/gu, '$1 $2'));
}

export function isUnit(word: string): boolean {
  return UNITS.has(word);
}

export function weightOf(word: string): number {
  return WEAK.has(word) || UNITS.has(word) ? WEAK_WEIGHT : 1;
}

/** How surely a word of a question means a word of a key, from 0 to 1. */
export function likeness(word: string, keyWord: string): number {
  if (word === keyWord) return 1;
  if (/\d/.test(word) || /\d/.test(keyWord)) return ORDINALS[Number(keyWord)] === word ? 0.8 : 0;
  const [one, other] = [stem(word), stem(keyWord)];
  if (one === other) return 0.97;
  if ((word.length > 3 && isShortFor(word, keyWord)) || isShortFor(keyWord, word)) return 0.85;
  if (word[0] === keyWord[0] && (isTypoOf(word, keyWord) || isTypoOf(one, other))) return 0.8;
  if (alike.get(one)?.has(other) === true) return 0.75;
  return rootOf(one) === rootOf(other) && rootOf(one).length > 2 ? 0.7 : 0;
}

/** `temp`, `qty`, `dept`: the beginning of the long form, and after that consonants of it in their order, up to the last. */
function isShortFor(short: string, long: string): boolean {
  if (short.length < 3 || long.length < short.length + 2 || short[0] !== long[0]) return false;
  let at = 1;
  while (short[at] === long[at] && at < short.length) at++;
  const rest = short.slice(at);
  if (rest === '') return short.length >= 4 || /[^aeiou]$/.test(short);
  if (short.at(-1) !== long.at(-1) || /[aeiou]/.test(rest) || long.length < 6) return false;
  for (const letter of rest) {
    at = long.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** What a noun of an agent and its verb have in common: `donated` and `donor`. */
function rootOf(stemmed: string): string {
  return stemmed.replace(/(?:ator|ation|ment|ance|ence|ant|ent|ing|at|or|er|al|t|y)$/, '');
}
