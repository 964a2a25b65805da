import { isNumberWord } from '../text/number-words';
import { conceptOf } from '../recall/words';
import { wordsOf } from '../text/stem';
import type { Kind, Mention } from './mentions';
import type { Clause } from './segments';
import { isA, isCommonNoun } from './topics';
import type { KnownFact, SaidFact } from './types';
import { ARTICLES, NO_NOUN, PREPOSITIONS, TITLES } from './words';

/** `C++` and `A+`, of which other words would leave out the sign. */
const SIGNED_LETTER = /^\p{Lu}[+#]+$/u;
const CURRENCY = /^[$£€]/;

/** A fact while a message is read: known before it, or said in it. */
export interface Standing {
  readonly subject: string;
  attribute: string;
  readonly value: string;
  readonly single: boolean;
  readonly about: ReadonlySet<string>;
  /** The concepts of its value that tell it from others. */
  readonly marks: ReadonlySet<string>;
  readonly kind: Kind;
  /** What the message says of it; absent for what was known before. */
  readonly said?: SaidFact;
}

export function standingOf(fact: KnownFact | (SaidFact & { value: string }), said?: SaidFact): Standing {
  const { subject, attribute, value, single, about = '' } = fact;
  const words = new Set(about === '' ? [] : about.split(' '));
  return {
    subject,
    attribute,
    value,
    single,
    about: words,
    marks: marksOf(value),
    kind: kindOf(value),
    ...(said ? { said } : {}),
  };
}

/** The concepts of a value by which another clause may mention it. */
export function marksOf(value: string): Set<string> {
  if (SIGNED_LETTER.test(value)) return new Set([value.toLowerCase()]);
  if (kindOf(value) === 'time') return new Set(value.toLowerCase().match(/[\d.:]*\d|\p{L}+day/gu) ?? []);
  const digits = kindOf(value) === 'number' ? value.match(/[\d.,]*\d/g) : null;
  if (digits) return new Set(digits);
  const words = wordsOf(value).filter(
    (word) =>
      !ARTICLES.has(word) &&
      !PREPOSITIONS.has(word) &&
      !NO_NOUN.has(word) &&
      !TITLES.has(word) &&
      (word.length > 1 || /\d/.test(word)),
  );
  // Of `the drama studio` both words tell; of `St Wilfrid's` the `s` does not.
  return new Set(words.map(conceptOf));
}

export function kindOf(value: string): Kind {
  if (/@|\.\w{2,}$/.test(value) && !/\s/.test(value)) return 'email';
  if (/^\+?[\d() -]{8,}$/.test(value)) return 'phone';
  if (
    /\d:\d\d|\bmonday|\btuesday|\bwednesday|\bthursday|\bfriday|\bsaturday|\bsunday|\d.*(?:january|february|march|april|may|june|july|august|september|october|november|december)|\d ?[ap]m\b/i.test(
      value,
    )
  )
    return 'time';
  if (/^[$£€]?\d/.test(value) || isNumberWord(value.split(/[\s-]/)[0]?.toLowerCase() ?? '')) return 'number';
  if (/\d/.test(value) && /\p{L}/u.test(value)) return 'code';
  if (/^['"‘“]/.test(value)) return 'quoted';
  return /(?:^|\s)\p{Lu}/u.test(value) ? 'name' : 'thing';
}

/** How well a mention fits in the place of a value: 0 for a number in the place of a name. */
export function likeness(mention: Mention, fact: Standing): number {
  const isPlain = (kind: Kind): boolean =>
    kind === 'name' || kind === 'thing' || kind === 'code' || kind === 'quoted';
  if (mention.kind === 'number' && fact.kind === 'number') return unitLikeness(mention.text, fact.value);
  if (mention.kind === fact.kind)
    return mention.kind === 'thing' ? (isA(mention.text, fact.value) ? 3 : 2) : 3;
  const isNumber = (kind: Kind): boolean => kind === 'number' || kind === 'code' || kind === 'time';
  if (isNumber(mention.kind) && isNumber(fact.kind))
    return mention.kind === 'time' || fact.kind === 'time' ? 1 : 2;
  return isPlain(mention.kind) && isPlain(fact.kind) ? 1 : 0;
}

/** 4 for the same unit, 1 for another one: kilos do not follow on hours. */
function unitLikeness(one: string, other: string): number {
  const [left, right] = [one, other].map((text) =>
    (/\d/.test(text) ? text.replace(/[\d.,\s]+/g, '') : text.split(' ').slice(1).join('')).toLowerCase(),
  );
  return left === '' || right === '' ? 3 : left === right ? 4 : 1;
}

/** Where in a clause a value is mentioned, in word numbers; `from` is -1 where it is not. */
export function findMention(fact: Standing, clause: Clause): { from: number; to: number } {
  let from = -1;
  let to = -1;
  const currency = CURRENCY.exec(fact.value)?.[0];
  clause.words.forEach(({ lower, token }, at) => {
    const before = clause.words[at - 1]?.lower ?? '';
    // `$900` is no mention of £900.
    if (currency !== undefined && CURRENCY.test(before) && before !== currency) return;
    const isMark =
      fact.marks.has(conceptOf(lower)) ||
      (token.kind === 'quoted' && fact.value.includes(token.text)) ||
      fact.marks.has(conceptOf(lower.replace(/s$/, '')));
    if (!isMark || (fact.kind === 'thing' && at > 0 && /^\p{Lu}/u.test(token.text))) return;
    // A common noun of a longer name mentions the name only with the rest: `Park` of `Hyde Park`.
    const isWeak =
      fact.kind === 'name' && !/^\p{Lu}|\d/u.test(token.text) && isCommonNoun(lower) && fact.marks.size > 1;
    if (isWeak) return;
    if (from === -1) from = at;
    if (to === -1 || at - to <= 1) to = at + 1;
  });
  return { from, to };
}
