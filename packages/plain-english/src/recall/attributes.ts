import { isNumberWord } from './number-word';
import { isKindOf } from './kinds';
import { isRelative, readSubject, USER } from './subjects';
import type { Subject } from './types';
import { ADVERBS, relationOf, verbOf } from './verbs';
import { conceptOf, type Word } from './words';
import { nounSenses } from './wordnet';

/** A clause taken apart. */
export interface Part {
  readonly subject: Subject;
  /** None where the subject is that of the clause before. */
  readonly subjectWords: readonly Word[];
  /** Its base form. */
  readonly verb: string;
  readonly relation: string;
  readonly negated: boolean;
  readonly ended: boolean;
  /** Not so yet, or perhaps never: `I might move`, `I will move`. */
  readonly modal: boolean;
  readonly rest: readonly Word[];
  readonly past: boolean;
  /** What an answer says in place of the words before the rest. */
  readonly told?: string;
}

/** What a clause says besides what its verb does: that `I am 34` is an age. */
export interface Attribute {
  readonly subject: Subject;
  readonly relation: string;
  readonly words: readonly Word[];
  readonly ended?: boolean;
}

const [NAME = '', JOB = '', BIRTHDAY = '', ADDRESS = '', HOME = '', AGE = '', SPOUSE = ''] = [
  'name',
  'job',
  'birthday',
  'address',
  'home',
  'age',
  'spouse',
].map(conceptOf);
const SUBJECTS: Readonly<Record<string, string>> = {
  [NAME]: 'name',
  [JOB]: 'job',
  [conceptOf('employer')]: 'job',
  [BIRTHDAY]: 'birthday',
  [ADDRESS]: 'home',
  [HOME]: 'home',
  [conceptOf('hometown')]: 'home',
  [AGE]: 'age',
};
/** What follows `I am`, and what it says. */
const BEING: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:really |quite |very |so |absolutely |totally |a )*(?:big |huge |great )?(?:into|fond of|keen on|crazy about|mad about|fan of|obsessed with|passionate about|addicted to|nuts about|partial to) (?=\S)/,
    'like',
  ],
  [/^(?:called|named) (?!after|for)(?=\S)/, 'name'],
  [/^(?:currently |now )?(?:based|living|located|residing) (?:in|at|near) (?=\S)/, 'home'],
  [/^born (?=\S)/, 'birthday'],
  [/^(?:originally )?from (?=\S)/, 'origin'],
  [/^(?:an? .{1,60}? )from (?=\p{L})/u, 'origin'],
  [/^employed (?:at|by|as) (?=\S)/, 'job'],
];
const AGE_TEXT =
  /^(?:almost |nearly |now |just |about )?(\S+?)(?: years?(?: old| of age)?)?(?: (?:today|now|already|this year))?$/;
const LIVING_TEXT = /\byears? old\b/;

/** What else the clause says of its subject, and of those it mentions. */
export function attributesOf(part: Part, words: readonly Word[]): Attribute[] {
  const { subject, verb, rest } = part;
  if (part.modal) return appositions(words);
  const text = `${rest.map(({ lower }) => lower).join(' ')} `;
  return [
    ...bySubject(part),
    ...inverted(part),
    ...(verb === 'be' ? beingOf(part, text) : []),
    ...(verb === 'turn' && rest.some(isNumber) ? turning(subject, rest, text) : []),
    ...(verb === 'move' && subject.who === 'user' && /^(?:back )?(?:to|into) /.test(text)
      ? [{ subject, relation: 'home', words: rest.slice(1) }]
      : []),
    ...(verb === 'come' && /^from /.test(text)
      ? [{ subject, relation: 'origin', words: rest.slice(1) }]
      : []),
    ...(['run', 'manage', 'own'].includes(verb) && isBusiness(rest)
      ? [{ subject, relation: 'job', words: rest }]
      : []),
    ...(['stop', 'quit', 'give'].includes(verb) ? stopped(part) : []),
    ...(['sell', 'lose', 'scrap'].includes(verb)
      ? [{ subject, relation: 'own', words: rest, ended: true }]
      : []),
    ...appositions(words),
  ];
}

/** `my name is …`, `my sister's birthday is …`: of me, of my sister. */
function bySubject({ subject, verb, rest }: Part): Attribute[] {
  if (verb !== 'be' || rest.length === 0 || subject.who !== 'other') return [];
  return Object.entries(SUBJECTS)
    .filter(([term]) => subject.terms.includes(term))
    .map(([term, relation]) => ({ subject: without(subject, term), relation, words: rest }));
}

/** `tea is my favourite drink`, `it is my birthday on Friday`: what is mine is told of as well. */
function inverted({ subject, subjectWords, verb, rest }: Part): Attribute[] {
  const first = rest[0]?.lower;
  if (verb !== 'be' || subject.who !== 'other' || (first !== 'my' && first !== 'our')) return [];
  const isIt = subjectWords.length === 1 && subjectWords[0]?.lower === 'it';
  if (subject.mine && !isIt) return [];
  const name = isIt ? upTo(rest, PLACED) : upToComma(rest);
  const about = readSubject(name);
  if (about?.who !== 'other') return [];
  if (!isIt) return [{ subject: about, relation: 'be', words: subjectWords }];
  const words = rest.slice(name.length);
  return [
    about.terms.includes(BIRTHDAY)
      ? { subject: without(about, BIRTHDAY), relation: 'birthday', words }
      : { subject: about, relation: 'be', words },
  ];
}

const PLACED = new Set(['on', 'at', 'in', 'today', 'tomorrow', 'next', ',']);

function upTo(words: readonly Word[], ends: ReadonlySet<string>): readonly Word[] {
  const end = words.findIndex(({ lower }) => ends.has(lower));
  return end === -1 ? words : words.slice(0, end);
}

function without(subject: Subject, term: string): Subject {
  const terms = subject.terms.filter((one) => one !== term);
  return terms.length === 0 && subject.mine ? USER : { ...subject, terms };
}

function beingOf({ subject, subjectWords, rest, negated }: Part, text: string): Attribute[] {
  const found: Attribute[] = [];
  const noun = rest.slice(rest.findIndex(({ lower }) => !ADVERBS.has(lower)));
  for (const [pattern, relation] of BEING) {
    const lead = pattern.exec(text)?.[0];
    if (lead !== undefined)
      found.push({
        subject,
        relation: relation === 'like' && negated ? 'dislike' : relation,
        words: rest.slice(lead.trim().split(' ').length),
      });
  }
  const age = AGE_TEXT.exec(text.trim())?.[1] ?? '';
  if (/^\d{1,3}$/.test(age) || isNumberWord(age) || LIVING_TEXT.test(text)) {
    if (subject.who === 'user' || subject.persons.length > 0)
      found.push({ subject, relation: 'age', words: rest });
  }
  if (/^(?:an?|the)$/.test(noun[0]?.lower ?? '') && isProfession(noun))
    found.push({ subject, relation: 'job', words: noun });
  if (/^married to \S/.test(text) && subject.who === 'user') {
    found.push({ subject: someone(SPOUSE), relation: 'name', words: rest.slice(2) });
  }
  const relative = /^(?:my|our) (?:\S+ )?(\S+?)(?: ,.*)? $/.exec(text)?.[1] ?? '';
  if (subject.who === 'other' && !subject.mine && subjectWords.every(isName) && isRelative(relative)) {
    found.push({ subject: someone(conceptOf(relative)), relation: 'name', words: subjectWords });
  }
  const name = upToComma(rest).filter(({ lower }) => lower !== '.');
  if (
    (subject.who === 'user' || (subject.mine && subject.persons.length > 0)) &&
    !negated &&
    name.length > 0 &&
    name.length <= 3 &&
    name.every(isName) &&
    !isNationality(name)
  ) {
    found.push({ subject, relation: 'name', words: name });
  }
  return found;
}

function turning(subject: Subject, rest: readonly Word[], text: string): Attribute[] {
  const age: Attribute = { subject, relation: 'age', words: rest };
  return /\bon\b/.test(text) ? [age, { subject, relation: 'birthday', words: rest }] : [age];
}

/** `I stopped smoking`: what is not so any more. */
function stopped({ subject, rest }: Part): Attribute[] {
  const at = rest[0]?.lower === 'up' ? 1 : 0;
  const verb = rest[at]?.lower ?? '';
  if (!verb.endsWith('ing') || verbOf(verb) === undefined) return [];
  return [{ subject, relation: relationOf(verb), words: rest.slice(at + 1), ended: true }];
}

/** `my sister Ola`, `a dog called Biscuit`, `a son, Leo`: names told in passing. */
function appositions(words: readonly Word[]): Attribute[] {
  const found: Attribute[] = [];
  words.forEach((word, at) => {
    if (!isRelative(word.lower)) return;
    const from = ['called', 'named', ','].includes(words[at + 1]?.lower ?? '') ? at + 2 : at + 1;
    let to = from;
    while (to < words.length && to - from < 3 && isName(words[to])) to++;
    if (to > from)
      found.push({ subject: someone(conceptOf(word.lower)), relation: 'name', words: words.slice(from, to) });
  });
  return found;
}

function someone(term: string): Subject {
  return { who: 'other', terms: [term], persons: [term], mine: true };
}

function upToComma(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(({ lower }) => [',', 'and', 'from', '(', '-', '–', 'by'].includes(lower));
  return end === -1 ? words : words.slice(0, end);
}

/** A capital where none has to be. */
export function isName(word: Word | undefined): boolean {
  return (
    word?.token.kind === 'word' &&
    /^\p{Lu}/u.test(word.token.text) &&
    word.lower !== 'i' &&
    !/^i'/.test(word.token.lower)
  );
}

/** `I am Italian`, `I am Catholic`. */
function isNationality(words: readonly Word[]): boolean {
  const lower = words[0]?.lower ?? '';
  return (
    /(?:ish|ian|ese|ch|tch|ean|can|ican|lic|ist|im|ew|du|ek|iss)$/.test(lower) &&
    (isKindOf(lower, 'person') || isKindOf(lower, 'language'))
  );
}

/** `I run a bakery`: the noun before what only says where. */
function isBusiness(words: readonly Word[]): boolean {
  const end = words.findIndex(({ lower }) => ['in', 'at', 'with', 'for', 'and', ',', 'near'].includes(lower));
  const head = words.slice(0, end === -1 ? undefined : end).at(-1)?.lower ?? '';
  return isKindOf(head, 'business');
}

function isNumber({ lower, token }: Word): boolean {
  return token.kind === 'number' || isNumberWord(lower);
}

const PROFESSION =
  /(?:er|or|ist|ian|ant|ent|man|woman|chef|nurse|vet|cook|clerk|pilot|judge|barista|coach|architect|analyst|attorney|midwife|guide)$/;
const TITLES = new Set([
  'lead',
  'ceo',
  'cto',
  'cfo',
  'coo',
  'dev',
  'dba',
  'sysadmin',
  'barista',
  'intern',
  'freelancer',
]);
const NO_PROFESSION = new Set(
  (
    'vegetarian riser lover person sister brother mother father daughter owner member smoker reader drinker eater user winner ' +
    'beginner runner swimmer partner parent christian fan teetotaller sleeper diabetic supporter believer morning night loner'
  ).split(' '),
);

function isProfession(words: readonly Word[]): boolean {
  const stop = words.findIndex(({ lower }) =>
    ['at', 'in', 'for', 'with', 'by', 'from', 'and', 'who', ',', 'of', 'on', 'but'].includes(lower),
  );
  const head = words.slice(1, stop === -1 ? undefined : stop).at(-1)?.lower ?? '';
  if (NO_PROFESSION.has(head)) return false;
  if (TITLES.has(head)) return true;
  return PROFESSION.test(head)
    ? isKindOf(head, 'person') || nounSenses(head).length === 0
    : isKindOf(head, 'profession');
}
