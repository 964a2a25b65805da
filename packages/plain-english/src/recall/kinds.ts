import { singular } from '../text/base-forms';
import { nounSenses, remembered, withKinds } from './wordnet';
import kinds from '../text/lexicon/kinds.json';

/** How many of a word's senses count: a rare one misleads more often than it helps. */
const SENSES_OF_WORD = 3;
const SENSES_OF_KIND = 3;

function table(entries: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(entries).map(([key, words]) => [key, words.split(' ').filter((word) => word !== '')]),
  );
}

/** What WordNet does not know, or knows by another name. The most common come first. */
const MORE = table(kinds.members);

/** Other names of kinds, each a noun of WordNet whose first senses mean it. */
const CALLED = table(kinds.names);

/** Kinds whose list of further words another kind shares. */
const SHARES = new Map(Object.entries(kinds.shares));

/** Tea is also a meal: what is a drink by name is no food where one asks for food. */
const FOODS = new Set(['food', 'dish', 'meal']);
const ALSO_FOOD = new Set('chocolate soup milk smoothie yoghurt yogurt cream mint ice'.split(' '));

/** True where a noun names a kind of what another noun names: tea is a drink. In the singular or plural, in lower case. */
export function isKindOf(noun: string, kind: string): boolean {
  return remembered(answers, `${noun}|${kind}`, () => judge(noun, kind));
}

/** The same by the first sense of both nouns alone: a paediatrician is a doctor. */
export function isMainlyKindOf(noun: string, kind: string): boolean {
  const [sense] = nounSenses(singular(noun));
  const [wanted] = nounSenses(singular(kind));
  return sense !== undefined && wanted !== undefined && withKinds(sense).has(wanted);
}

const answers = new Map<string, boolean>();

function judge(noun: string, kind: string): boolean {
  const name = singular(kind);
  const word = singular(noun);
  if (word === name) return true;
  const more = moreOf(name);
  if (more.includes(noun) || more.includes(word)) return true;
  const wanted = new Set(
    (CALLED.get(name) ?? [name]).flatMap((called) => nounSenses(called).slice(0, SENSES_OF_KIND)),
  );
  if (wanted.size === 0) return false;
  if (FOODS.has(name) && isKindOf(word, 'drink') && !ALSO_FOOD.has(word)) return false;
  return sensesOf(noun, word)
    .slice(0, SENSES_OF_WORD)
    .some((sense) => [...withKinds(sense)].some((parent) => wanted.has(parent)));
}

/** True for a kind whose members are known by name, so that another name is not of this kind. */
export function isClosedKind(kind: string): boolean {
  const name = singular(kind);
  return CALLED.has(name) || MORE.has(name);
}

function sensesOf(noun: string, word: string): readonly number[] {
  const found = nounSenses(word);
  return found.length > 0 ? found : nounSenses(noun);
}

function moreOf(name: string): readonly string[] {
  return MORE.get(SHARES.get(name) ?? name) ?? [];
}
