import { isCalendarWord } from '../text/temporal';
import { singular } from './kinds';
import { verbBases } from './meanings';
import { baseForm, conceptOf, LIGHT, type Word } from './words';
import { isCommonNoun, nounSenses, remembered, sensesOf, withKinds } from './wordnet';

/** Who somebody is to another, and animals of a house. */
const RELATIVES = new Set(
  (
    'sister brother mother father spouse child son daughter cousin aunt uncle niece nephew grandmother grandfather wife husband fiance fiancee friend boss ' +
    'neighbour neighbor colleague girlfriend boyfriend partner teacher dentist landlord doctor flatmate roommate housemate twin ' +
    'parents parent sibling grandson granddaughter stepmother stepfather baby coach tutor client assistant manager ex dog cat ' +
    'horse hamster rabbit parrot puppy kitten bird fish mother-in-law father-in-law sister-in-law brother-in-law godmother godfather'
  )
    .split(' ')
    .map(conceptOf),
);

export function isRelative(lower: string): boolean {
  return RELATIVES.has(conceptOf(lower));
}

const POINTING = new Set('i you he she it we they me him us them'.split(' '));
const NO_PERSON = new Set(
  'person people man woman guy lady someone somebody everyone everybody nobody anyone other one two three four five six fan lot head lead can fish bird number name will may favourite favorite printer hand date counter chicken mail begin born married'.split(
    ' ',
  ),
);

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

const MONTHS = new Set(
  'new year years january february march april may june july august september october november december'.split(
    ' ',
  ),
);

export function isCapital(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}
