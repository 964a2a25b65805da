import { isNameWord, isPersonNoun } from './persons';
import { hasTerm } from './evidence';
import { conceptOf, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

/** Of a name, what its bearer is: of Agnes, sister. */
export type Aliases = ReadonlyMap<string, readonly string[]>;

const MAX_NAMES = 4;
const LINKS = wordsTagged('links');

/** Who is who, as a text says in passing: `my sister Agnes`, `a rabbit called Fennel`, `Omar is my boss`, `two brothers, Anselm and Kaspar`. */
export function readAliases(sentences: readonly (readonly Word[])[]): Aliases {
  const found = new Map<string, string[]>();
  const add = (name: string, noun: string): void => {
    const known = found.get(name) ?? [];
    found.set(name, known);
    known.push(noun);
  };
  for (const words of sentences) {
    words.forEach((word, at) => {
      if (!isPersonNoun(word)) return;
      for (const name of namesAfter(words, at + 1)) add(name, word.lower);
    });
  }
  return found;
}

function namesAfter(words: readonly Word[], from: number): string[] {
  let at = from;
  while (at < words.length && at - from < 3 && LINKS.has(words[at]?.lower ?? '') && !isNameWord(words, at))
    at++;
  const names: string[] = [];
  for (; at < words.length && names.length < MAX_NAMES; at++) {
    if (isNameWord(words, at)) names.push(words[at]?.lower ?? '');
    else if (names.length === 0 || !['and', ',', 'little', '.'].includes(words[at]?.lower ?? '')) break;
  }
  return names;
}

/** Whether a name and a noun are of one person, for example of the user or of a friend. */
export function isOnePerson(aliases: Aliases, left: string, right: string): boolean {
  return [
    [left, right],
    [right, left],
  ].some(([name = '', noun = '']) => (aliases.get(name) ?? []).includes(noun));
}

/** What a name and a noun of one person have in common: Agnes is asked for where the sister is, and the other way round. */
export function sameBearer(aliases: Aliases, asked: string, said: string): boolean {
  const has = (name: string, noun: string): boolean =>
    (aliases.get(name) ?? []).some((one) => hasTerm(new Set([conceptOf(one)]), conceptOf(noun)));
  return has(said, asked) || has(asked, said);
}
