import { isCalendarWord } from '../text/temporal';
import { baseForm, singular, verbBases } from '../text/base-forms';
import { conceptOf, LIGHT, type Word } from './words';
import { isCommonNoun, nounSenses, remembered, sensesOf, withKinds } from './wordnet';
import { wordsTagged } from '../text/lexicon/words';

/** Who somebody is to another, and animals of a house. */
const RELATIVES = new Set([...wordsTagged('relatives')].map(conceptOf));

export function isRelative(lower: string): boolean {
  return RELATIVES.has(conceptOf(lower));
}

const POINTING = new Set('i you he she it we they me him us them'.split(' '));
const NO_PERSON = wordsTagged('no-person');

/** True for a noun that says who somebody is: sister, plumber, tenant; and for an animal of the house. */
export function isPersonNoun({ lower, token }: Word): boolean {
  if (token.kind !== 'word' || lower.length < 2 || LIGHT.has(lower) || NO_PERSON.has(lower)) return false;
  return (
    isRelative(lower) || isRelative(singular(lower)) || (isMainlyPerson(lower) && !isCapital(token.text))
  );
}

/** True where the first sense of a noun is a person or an animal: a diver, and not blood. */
function isMainlyPerson(lower: string): boolean {
  return remembered(mainly, lower, () => {
    const [first] = nounSenses(singular(lower));
    if (first === undefined || (lower.endsWith('es') && sensesOf(lower.slice(0, -2), 'verb').length > 1))
      return false;
    const kinds = withKinds(first);
    return BEINGS().some((being) => kinds.has(being));
  });
}

const mainly = new Map<string, boolean>();
const BEINGS = (): number[] => ['person', 'animal'].flatMap((noun) => nounSenses(noun).slice(0, 1));

/** True for the word of a name: a capital that neither the beginning of a sentence nor the calendar explains. */
export function isNameWord(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (word?.token.kind !== 'word' || word.lower.length < 2 || !isCapital(word.token.text)) return false;
  const { lower } = word;
  if (POINTING.has(lower) || isCalendarWord(lower.replace(/s$/, '')) || MONTHS.has(lower) || LIGHT.has(lower))
    return false;
  const before = words[at - 1];
  const isFirst = before === undefined || (before.token.kind === 'symbol' && before.lower !== ',');
  if (!isFirst) return true;
  const next = words[at + 1];
  return !isCommonNoun(lower)
    ? /^\p{Lu}\p{Ll}/u.test(word.token.text) && !/(?:ing|ly)$/.test(lower) && !isOtherWord(lower)
    : next?.lower === "'s" && !isRelative(lower);
}

/** `Wrote`, `Sorry`: words that begin a sentence without being a name. */
function isOtherWord(lower: string): boolean {
  const base = baseForm(lower);
  return (
    base !== lower ||
    verbBases(lower).some((one) => sensesOf(one, 'verb').length > 0) ||
    sensesOf(lower, 'adj').length > 0
  );
}

const MONTHS = wordsTagged('months');

export function isCapital(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}
