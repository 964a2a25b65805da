import { isNameWord, isPersonNoun } from './persons';
import { saysTerm } from './evidence';
import { lowerAt, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

/** Of a name, what its bearer is: of Agnes, sister. */
export type Aliases = ReadonlyMap<string, readonly string[]>;

const MAX_NAMES = 4;
const LINKS = wordsTagged('links');

/** Who is who, as a text says in passing: `my sister Agnes`, `a rabbit called Fennel`, `Omar is my boss`, `two brothers, Anselm and Kaspar`. */
export function readAliases(sentences: readonly (readonly Word[])[]): Aliases {
  const found = new Map<string, string[]>();
  for (const words of sentences) {
    for (const [at, word] of words.entries()) {
      const names = isPersonNoun(word) ? namesAfter(words, at + 1) : [];
      for (const name of names) found.set(name, [...(found.get(name) ?? []), word.lower]);
    }
  }
  return found;
}

function namesAfter(words: readonly Word[], from: number): string[] {
  let at = from;
  while (at < words.length && at - from < 3 && LINKS.has(lowerAt(words, at)) && !isNameWord(words, at)) at++;
  const names: string[] = [];
  for (; at < words.length && names.length < MAX_NAMES; at++) {
    if (isNameWord(words, at)) names.push(lowerAt(words, at));
    else if (names.length === 0 || !/^(?:and|,|little|\.)$/.test(lowerAt(words, at))) break;
  }
  return names;
}

/** Whether a name and a noun are of one person, for example of the user or of a friend. */
export function isOnePerson(aliases: Aliases, left: string, right: string): boolean {
  const isCalled = (name: string, noun: string): boolean => aliases.get(name)?.includes(noun) === true;
  return isCalled(left, right) || isCalled(right, left);
}

/** What a name and a noun of one person have in common: Agnes is asked for where the sister is, and the other way round. */
export function sameBearer(aliases: Aliases, asked: string, said: string): boolean {
  const has = (name: string, noun: string): boolean =>
    (aliases.get(name) ?? []).some((one) => saysTerm(one, noun));
  return has(said, asked) || has(asked, said);
}
