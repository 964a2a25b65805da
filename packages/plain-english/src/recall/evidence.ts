import { findTemporals } from '../text/temporal';
import { unitOf } from '../word-problems/units';
import { ARTICLES } from '../text/stop-words';
import { tokenize } from '../text/tokenizer';
import { isKindOf, singular } from './kinds';
import { isNumberWord } from './number-word';
import type { Phrase, Question, Statement } from './types';
import { verbOf } from './verbs';
import { conceptOf } from './words';
import { nounSenses } from './wordnet';

const PLACE = new Set(
  'in at on under behind near to from inside beside above by into below beneath between next with for'.split(
    ' ',
  ),
);
const OFTEN =
  /\b(?:every|daily|weekly|monthly|yearly|once|twice|times|always|never|often|rarely|each|per|sometimes|usually|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/;
const DIMENSIONS: Readonly<Record<string, RegExp>> = {
  length:
    /^(?:km|kms|kilomet\w+|m|met(?:re|er)s?|cm|centimet\w+|miles?|feet|foot|ft|inch(?:es)?|yards?|laps?|blocks?)$/,
  weight: /^(?:kg|kgs|kilos?|kilograms?|g|grams?|lbs?|pounds?|stones?|tons?|tonnes?)$/,
  duration: /^(?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|since)$/,
  size: /^(?:square|sqm|m2|m²|sq|rooms?|acres?|hectares?|inch(?:es)?|[gtm]b|cm|met(?:re|er)s?|feet|ft)$/,
  speed: /^(?:km\/h|kmh|kph|mph|knots)$/,
};

/** Words of a question's general terms that a narrower word of a statement stands for. */
const NARROWER = new Map<string, readonly string[]>(
  Object.entries({
    spouse: ['wife', 'husband', 'partner', 'fiance', 'fiancee'],
    wife: ['spouse'],
    husband: ['spouse'],
    child: ['son', 'daughter', 'baby', 'twin'],
    parent: ['mother', 'father'],
    sibling: ['sister', 'brother'],
    pet: ['dog', 'cat', 'rabbit', 'hamster', 'parrot', 'horse'],
    grandparent: ['grandmother', 'grandfather'],
  }).map(([term, words]) => [conceptOf(term), words.map(conceptOf)]),
);

/** True where a statement has a concept, or one that is narrower. */
export function hasTerm(terms: ReadonlySet<string>, term: string): boolean {
  return terms.has(term) || (NARROWER.get(term) ?? []).some((word) => terms.has(word));
}

/** Whether a statement has what the question wants to know: a time, a place, an amount. */
export function hasWanted({ wanted, unit, subject, terms }: Question, statement: Statement): boolean {
  const { clause, objects, relation } = statement;
  switch (wanted) {
    case 'when':
      return hasTime(clause.text);
    case 'where':
      return (
        relation === 'home' ||
        clause.words.some((word, at) => at > 0 && PLACE.has(word) && isPlace(clause, at, terms))
      );
    case 'amount':
      return hasAmount(clause, unit);
    case 'often':
      return OFTEN.test(clause.words.join(' '));
    case 'age':
      return relation === 'age';
    case 'name':
      return relation === 'name';
    case 'who':
      if (subject.mine && relation !== 'name') return /^(?:an? |the )?\p{Lu}/u.test(objects[0]?.text ?? '');
      return /\p{Lu}\p{Ll}/u.test(clause.text.slice(1)) || objects.length > 0;
    default:
      return true;
  }
}

/** True where a place is told after the word: no time, no verb, and not the thing that is looked for. */
function isPlace({ words, text }: Phrase, at: number, asked: readonly string[]): boolean {
  const word = words[at + 1];
  if (word === undefined || /^\d/.test(word) || MONTH.test(word) || verbOf(word) !== undefined) return false;
  if (NO_PLACE.test(word)) return false;
  const noun = ARTICLES.has(word) ? words[at + 2] : word;
  if (noun !== undefined && words[at] !== 'to' && asked.includes(conceptOf(noun)) && asked.length === 1)
    return false;
  if (words[at] !== 'to' || ARTICLES.has(word)) return true;
  // `to Rome`, and not `to surf`
  const place = text.toLowerCase().indexOf(` to ${word}`);
  return place >= 0 && /\p{Lu}/u.test(text.charAt(place + 4));
}

const NO_PLACE =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|night|time|spring|summer|autumn|winter|last|next|every)$/;

/** A date, a day, a time, a year or a span. */
export function hasTime(text: string): boolean {
  const { tokens } = tokenize(text);
  return (
    findTemporals(tokens).length > 0 ||
    /\b(?:19|20)\d\d\b/.test(text) ||
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i.test(text) ||
    /\b(?:in|on|since|until|by) (?:early |late |mid-)?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|fall)\b/i.test(
      text,
    ) ||
    /\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b/i.test(text) ||
    /\b(?:within|after|in|for|every) (?:\d+|[a-z]+) (?:hour|day|week|month|year)s?\b/i.test(text) ||
    /\b(?:last|next|this|every) (?:week|month|year|morning|evening|night|weekend|summer|winter|spring|autumn)\b/i.test(
      text,
    ) ||
    /\bat \d{1,2}(?::\d\d)?(?![\d,.]*\d)(?! ?(?:km|euros?|dollars?|percent|%|degrees?|years?))/i.test(text) ||
    /\bfrom \d{1,2}(?::\d\d)? (?:to|until|till) \d/i.test(text) ||
    /\b(?:first|second|third|last|next) (?:day|week|month|quarter|year)\b|\bday (?:one|\d+)\b/i.test(text) ||
    /\b(?:weekdays?|weekends?|daily|weekly|monthly)\b/i.test(text) ||
    /\b(?:christmas|easter|new year)\b/i.test(text)
  );
}

const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;

/** Numbers of days, years and times are no amounts. */
function isOfTime(words: readonly string[], at: number): boolean {
  const [before = '', word = '', after = ''] = [words[at - 1], words[at], words[at + 1]];
  return (
    MONTH.test(before) ||
    MONTH.test(after) ||
    /^\d{1,2}:\d\d|^\d+[ap]m$/.test(word) ||
    /^[ap]m$/.test(after) ||
    (/^(?:19|20)\d\d$/.test(word) && /^(?:in|since|until|by|from|of)$/.test(before))
  );
}

function hasAmount(clause: Phrase, unit: string | undefined): boolean {
  const { words } = clause;
  return words.some((word, at) => {
    if (/^\d+(?:st|nd|rd|th)$/.test(word) || (unit === undefined && isOfTime(words, at))) return false;
    if (
      !/^[€$£]?\d[\d.,]*\p{L}{0,3}$/u.test(word) &&
      !isNumberWord(word) &&
      word !== 'no' &&
      word !== 'a' &&
      word !== 'an'
    )
      return false;
    const after = words.slice(at + 1, at + 5);
    if (unit === undefined) return word !== 'a' && word !== 'an';
    const dimension = DIMENSIONS[unit];
    if (dimension)
      return after.slice(0, 2).some((next) => dimension.test(next)) || /^\d+(?:km|cm|m|kg|h)$/.test(word);
    return after.some((next) => sameUnit(next, unit));
  });
}

export function sameUnit(word: string, unit: string): boolean {
  return (
    unitOf(word) === unitOf(unit) ||
    conceptOf(word) === conceptOf(unit) ||
    hasTerm(new Set([conceptOf(word)]), conceptOf(unit)) ||
    (nounSenses(unit).length > 0 && isKindOf(word, unit))
  );
}

const GENERAL = new Set([
  'like',
  'dislike',
  'own',
  'be',
  'see',
  'want',
  'need',
  'home',
  'job',
  'name',
  'origin',
]);

/** The objects of a statement that are of a kind; with a verb that says it, a name that nobody knows is one, too. */
export function objectsOfKind(statement: Statement, kind: string, isSame: boolean): readonly Phrase[] {
  return statement.objects.filter(({ words, text }) => {
    const nouns = beforePreposition(words);
    if (
      isHeadOfKind(nouns, kind) ||
      (statement.relation === 'be' &&
        ANYWHERE.has(kind) &&
        nouns.some((noun) => singular(noun) !== kind && isKindOf(noun, kind)))
    )
      return true;
    const isNamed =
      NAMED_KINDS.has(singular(kind)) &&
      nouns.some((word, at) => words[at] === word && isCapital(text, word));
    const isSpecific = isSame && !GENERAL.has(statement.relation);
    const last = nouns.at(-1) ?? '';
    return (
      isSpecific && (isNamed || (/^(?:an? |the |my )?\p{Lu}/u.test(text) && nounSenses(last).length === 0))
    );
  });
}

/** Words after a noun that are none themselves. */
const AFTER_NOUN = new Set(
  (
    'most best more lot much now too very well really one ones time times thing things kind all day today tomorrow yesterday week month ' +
    'year morning evening afternoon night every each last next'
  ).split(' '),
);

/** The last noun says what something is: a coffee table is no drink, green tea is one, and so is a cup of tea. */
function isHeadOfKind(nouns: readonly string[], kind: string): boolean {
  for (let at = nouns.length - 1; at >= 0; at--) {
    const noun = nouns[at] ?? '';
    if (noun.length < 2 || ARTICLES.has(noun)) continue;
    if (conceptOf(noun) === conceptOf(kind))
      return at < nouns.length - 1 || (at > 0 && !ARTICLES.has(nouns[at - 1] ?? ''));
    if (isKindOf(noun, kind) || (at > 0 && isKindOf(`${nouns[at - 1] ?? ''} ${noun}`, kind))) return true;
    const of = nouns.lastIndexOf('of', at);
    if (of > 0 && at > of) return isHeadOfKind(nouns.slice(0, of), kind);
    if (nounSenses(singular(noun)).length > 0 && noun.length > 2 && !AFTER_NOUN.has(noun)) return false;
  }
  return false;
}

/** Kinds that are told by an adjective. */
const ANYWHERE = new Set(['colour', 'color', 'nationality']);

/** Kinds whose members have names that may be common words as well. */
const NAMED_KINDS = new Set(
  'team band club brand company car project game book film movie show series app school university newspaper podcast'.split(
    ' ',
  ),
);

function isCapital(text: string, word: string): boolean {
  const at = text.toLowerCase().indexOf(word);
  return at >= 0 && /\p{Lu}/u.test(text.charAt(at));
}

const PREPOSITIONS = new Set(
  'in at on with for from by to after before during every when because since as called named that who which'.split(
    ' ',
  ),
);

function beforePreposition(words: readonly string[]): readonly string[] {
  const start = words[0] === 'to' ? (verbOf(words[1] ?? '') === undefined ? 1 : 2) : 0;
  const end = words.findIndex((word, at) => at >= Math.max(1, start) && PREPOSITIONS.has(word));
  return words.slice(start, end === -1 ? undefined : end);
}
