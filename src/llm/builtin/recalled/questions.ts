import { sentencesOf } from './clauses';
import { isKnownKind } from './kinds';
import { readSubject, USER } from './subjects';
import type { Question, Subject, Wanted } from './types';
import { ADVERBS, AUXILIARIES, BE, relationOf, verbOf } from './verbs';
import { conceptOf, LIGHT, termsOf, toWords, type Word } from './words';

const ASKING = new Set(['what', 'which', 'who', 'whom', 'whose', 'where', 'when', 'how', 'why']);
const ABOUT_ME = new Set(['i', 'me', 'my', 'mine', 'we', 'our', 'us']);
/** What stands around the question itself. */
const AROUND: readonly RegExp[] = [
  /^(?:hi|hello|hey|ok|okay|so|and|but|well|please|also|then|now|sorry|by the way|quick question|again|just|um|oh) ?[,!:.-]? /,
  /^(?:can|could|would|will) you (?:please )?(?:still )?(?:tell|remind|give|show|remember|recall|say)(?: to)?(?: me)?(?: again)?(?: of| about)? /,
  /^(?:please )?(?:tell|remind|give|show) me(?: again)?(?: please)?(?: of)? /,
  /^(?:do|did) you (?:still )?(?:happen to )?(?:remember|know|recall|have any idea|note|store|save|keep)(?: of)? /,
  /^(?:i forgot|i forget|i wonder|i can not remember|i do not remember|i need to know|i want to know|i would like to know|i was wondering)(?: about)? ,? ?/,
  /^(?:from (?:our|my) (?:last|previous|earlier)? ?(?:chats?|conversations?)|based on what (?:i|you) \S+(?: \S+){0,3}|according to (?:my|your) (?:notes|memory|memories)|from memory|from what i(?: have)? told you|as far as you know) ,? ?/,
];
/** `did I say`, `did I tell you that`: what is asked is what comes after. */
const SAID =
  / (?:(?:did|have) i (?:say|said|tell|told|mention|mentioned|note|noted)(?: to)?(?: you)?(?: before| earlier| once)?(?: that)?|i (?:said|told you|mentioned)(?: that)?|do you (?:think|remember|know)(?: that)?|you (?:know|think|remember)) /;
const TAIL =
  /,? (?:again|please|exactly|by the way|btw|do you know|do you remember|if you remember|then|you know|can you tell me|right)$/;

const SPOUSE = conceptOf('spouse');

const UNIT_OF: Readonly<Record<string, string>> = {
  far: 'length',
  tall: 'length',
  heavy: 'weight',
  long: 'duration',
  high: 'length',
  big: 'size',
  fast: 'speed',
};

/** What a text asks; undefined for one that asks nothing that somebody may have told. */
export function readQuestion(query: string): Question | undefined {
  const sentence = sentencesOf(query.slice(0, 1_000)).findLast(
    (one) => one.length > 1 || one.at(-1)?.text === '?',
  );
  if (!sentence) return undefined;
  const topic = readTopic(toWords(sentence));
  if (topic) return topic;
  const words = strip(toWords(sentence));
  const first = words[0]?.lower ?? '';
  if (words.length === 0 || words.length > 30) return undefined;
  if (ASKING.has(first)) return readAsking(words);
  if (isPreposition(first) && ASKING.has(words[1]?.lower ?? ''))
    return readAsking([...words.slice(1), ...words.slice(0, 1)]);
  if (AUXILIARIES.has(first) && words.length > 1) return readWhether(words);
  if (words.some(({ lower }) => lower === 'my' || lower === 'our')) return readNamed(words, 'what');
  return undefined;
}

const TOPIC =
  /^(?:.{0,30} )?(?:what|everything|anything|all|tell me|remind me|remember|summari[sz]e)(?: else)?(?: (?:that|what|everything|all))?(?: (?:do|did|have|can|could|would))?(?: (?:you|i|we))?(?: (?:still|already|ever))? ?(?:know|remember|recall|tell|told|say|said|mention|mentioned|learn|learned|talk|talked|have stored|stored|remind)?(?: to)?(?: you| me)? about (.{1,80})$/;

/** `what do you know about me`, `what did I tell you about my dog`. */
function readTopic(all: readonly Word[]): Question | undefined {
  const words = all.filter(({ token }) => !(token.kind === 'symbol' && /[?!"“”.,]/.test(token.text)));
  const text = textOf(words);
  const about = TOPIC.exec(text)?.[1];
  if (about === undefined) return undefined;
  const topic = words.slice(words.length - about.split(' ').length);
  if (/^(?:me|myself|us)$/.test(about)) return make('about', USER, undefined, []);
  const subject = readSubject(topic);
  return subject?.who === 'other' ? make('about', subject, undefined, subject.terms) : undefined;
}

function strip(words: readonly Word[]): Word[] {
  let left = words.filter(({ token }) => !(token.kind === 'symbol' && /[?!"“”.]/.test(token.text)));
  for (let round = 0; round < 4; round++) {
    const text = `${textOf(left)} `;
    const found = AROUND.map((pattern) => pattern.exec(text)?.[0]).find((lead) => lead !== undefined);
    if (found === undefined) break;
    const rest = left.slice(found.trim().split(' ').length);
    if (rest.length === 0) break;
    left = rest;
    if (left[0]?.lower === 'if' || left[0]?.lower === 'whether' || left[0]?.lower === 'that')
      left = left.slice(1);
  }
  const tail = TAIL.exec(textOf(left))?.[0];
  if (tail !== undefined) left = left.slice(0, left.length - tail.trim().split(' ').length);
  const said = SAID.exec(` ${textOf(left)} `);
  if (said && said.index > 0 && ASKING.has(left[0]?.lower ?? '')) {
    const before = ` ${textOf(left)} `.slice(0, said.index).trim().split(' ').length;
    const count = said[0].trim().split(' ').length;
    const rest = left.slice(before + count);
    if (rest.length > 0 && rest[0]?.lower !== 'about') left = [...left.slice(0, before), ...rest];
  }
  return left;
}

function textOf(words: readonly Word[]): string {
  return words.map(({ lower }) => lower).join(' ');
}

function isPreposition(word: string): boolean {
  return ['in', 'at', 'on', 'for', 'with', 'to', 'from', 'by', 'since', 'about', 'of', 'until'].includes(
    word,
  );
}

function readAsking(words: readonly Word[]): Question | undefined {
  const first = words[0]?.lower ?? '';
  if (first === 'why') return undefined;
  if (first === 'how') return readHow(words);
  const wanted: Wanted =
    first === 'who' || first === 'whom' || first === 'whose'
      ? 'who'
      : first === 'where'
        ? 'where'
        : first === 'when'
          ? 'when'
          : 'what';
  // `which instrument do I play`, `what drinks do I like`
  let at = 1;
  while (at < words.length && at < 6 && !endsNoun(words, at)) at++;
  const restrictors = first === 'what' || first === 'which' ? words.slice(1, at) : [];
  const rest = words.slice(first === 'what' || first === 'which' ? at : 1);
  const nouns = restrictors.filter(({ lower }) => !LIGHT.has(lower)).map(({ lower }) => lower);
  const isPair = nouns.length > 1 && isKnownKind(nouns.slice(-2).join(' '));
  const head = isPair ? nouns.slice(-2).join(' ') : nouns.at(-1);
  const modifiers = restrictors.filter(
    ({ lower }) => !(isPair ? nouns.slice(-2) : nouns.slice(-1)).includes(lower),
  );
  const base = readPredicate(rest, wanted, modifiers);
  if (!base) return undefined;
  if (head === undefined) return base;
  if (/^(?:times?|days?|dates?|years?|months?|hours?)$/.test(head)) return { ...base, wanted: 'when' };
  if (head === 'name' || head === 'names') return { ...base, wanted: 'name', relation: 'name' };
  if (
    /^(?:city|town|country|street|area|village|place|neighbourhood)$/.test(head) &&
    base.relation === 'home'
  )
    return { ...base, wanted: 'where' };
  if (/^(?:company|job|firm|profession|field)$/.test(head) && base.relation === 'job') return base;
  if (head === 'size') return { ...base, terms: [...base.terms, conceptOf(head)], relation: undefined };
  if (['breed', 'brand', 'make', 'model', 'diet'].includes(head) && base.relation === undefined) return base;
  if (/^(?:ages?)$/.test(head)) return { ...base, wanted: 'age', relation: 'age' };
  return { ...base, kind: head };
}

/** True where a noun that `which` or `what` began is over: `drink` is one in `which drink do I like`. */
function endsNoun(words: readonly Word[], at: number): boolean {
  const lower = words[at]?.lower ?? '';
  if (AUXILIARIES.has(lower) || ABOUT_ME.has(lower)) return true;
  return verbOf(lower) !== undefined && !AUXILIARIES.has(words[at + 1]?.lower ?? '');
}

/** The part from the auxiliary on: `do I like to drink`, `is my name`, `am I allergic to`. */
function readPredicate(
  words: readonly Word[],
  wanted: Wanted,
  modifiers: readonly Word[],
): Question | undefined {
  const first = words[0]?.lower ?? '';
  const more = termsOf(modifiers.map(({ lower }) => lower));
  if (wanted === 'who' && ['has', 'have', 'had'].includes(first) && !ABOUT_ME.has(words[1]?.lower ?? '')) {
    return make(wanted, nobody(), undefined, termsOf(words.map(({ lower }) => lower)));
  }
  if (!AUXILIARIES.has(first)) {
    // `who leads Project Heron`, `where I live` of an indirect question
    if (ABOUT_ME.has(first)) return finish(wanted, words, more);
    if (verbOf(first) !== undefined && wanted === 'who') {
      return make(wanted, readSubject(words.slice(1)) ?? nobody(), undefined, [
        ...more,
        ...termsOf(words.map(({ lower }) => lower)),
      ]);
    }
    if (words.length > 0) return finish(wanted, words, more);
    return undefined;
  }
  if (BE.has(first)) {
    const rest = words.slice(1);
    const second = rest[0]?.lower ?? '';
    if (wanted === 'who' && rest.length === 1 && second === 'i') return make('name', USER, 'name', []);
    if (second === 'i' || second === 'we') return finish(wanted, rest, more);
    return about(wanted, rest, more);
  }
  if (words[1]?.lower === 'not' && ABOUT_ME.has(words[2]?.lower ?? ''))
    return finish(wanted, [...words.slice(2, 3), ...words.slice(1, 2), ...words.slice(3)], more);
  return finish(wanted, words.slice(1), more);
}

/** Subject, then verb, then the rest. */
function finish(wanted: Wanted, words: readonly Word[], more: readonly string[]): Question | undefined {
  const first = words[0]?.lower ?? '';
  if (first === 'i' || first === 'we') {
    let at = 1;
    while (at < words.length && (ADVERBS.has(words[at]?.lower ?? '') || words[at]?.lower === 'not')) at++;
    const negated = words.slice(1, at + 1).some(({ lower }) => lower === 'not' || lower === 'never');
    if (words[at]?.lower === 'am' || words[at]?.lower === 'are') at++;
    if (words[at]?.lower === 'supposed' || words[at]?.lower === 'going') at += 2;
    return predicate(wanted, USER, words.slice(at), more, negated);
  }
  const verbAt = words.findIndex(
    (word, index) => index > 0 && (verbOf(word.lower) !== undefined || BE.has(word.lower)),
  );
  if (verbAt === -1) return about(wanted, words, more);
  const subject = readSubject(words.slice(0, verbAt));
  if (!subject) return undefined;
  if (BE.has(words[verbAt]?.lower ?? '') && verbAt === words.length - 1)
    return about(wanted, words.slice(0, verbAt), more);
  return predicate(wanted, subject, words.slice(verbAt), [...more, ...subject.terms], false);
}

function predicate(
  wanted: Wanted,
  subject: Subject,
  words: readonly Word[],
  more: readonly string[],
  negated: boolean,
): Question | undefined {
  const verb = words[0]?.lower ?? '';
  const rest = words.slice(1);
  const text = textOf(words);
  if (
    verb === 'do' &&
    (rest.length === 0 || /^do (?:for (?:a living|work|a job)|professionally|for money|as a job)/.test(text))
  ) {
    return make('what', subject, 'job', more);
  }
  if (/^called\b|^named\b/.test(text)) return make('name', subject, 'name', more);
  if (/^born\b/.test(text)) return make(wanted, subject, wanted === 'when' ? 'birthday' : undefined, more);
  if (/^married to/.test(text))
    return make('name', { who: 'other', terms: [SPOUSE], persons: [SPOUSE], mine: true }, 'name', [SPOUSE]);
  if (/^based|^living/.test(text)) return make(wanted, subject, 'home', more);
  if (/^(?:come |originally )*from$/.test(text)) return make('where', subject, 'origin', more);
  const relation =
    verb === ''
      ? undefined
      : negated && ['stand', 'bear'].includes(verbOf(verb) ?? '')
        ? 'dislike'
        : relationOf(verb);
  let terms = termsOf(rest.map(({ lower }) => lower));
  let kind: string | undefined;
  if (relation === 'like' || relation === 'dislike') {
    // `like to drink`: what is liked is a drink.
    const infinitive = rest[0]?.lower === 'to' ? (rest[1]?.lower ?? '') : '';
    const drinkOrFood =
      infinitive === 'drink'
        ? 'drink'
        : infinitive === 'eat'
          ? 'food'
          : infinitive === 'play'
            ? undefined
            : undefined;
    if (drinkOrFood !== undefined) {
      kind = drinkOrFood;
      terms = terms.filter((term) => term !== conceptOf(infinitive));
    }
    terms = terms.filter((term) => !['best', 'well', 'lot'].includes(term));
    const positive = relation === 'like' && !negated;
    return make(wanted, subject, positive ? 'like' : 'dislike', [...more, ...terms], kind, positive);
  }
  const isVerbLight =
    relation === undefined ||
    LIGHT.has(verb) ||
    verb === 'do' ||
    (wanted === 'when' && ['see', 'have', 'meet'].includes(verb)) ||
    verb === 'have' ||
    verb === 'own';
  const isAdjective = verbOf(verb) === undefined;
  if (isAdjective && verb !== '')
    return make(wanted, subject, undefined, [...more, ...termsOf(words.map(({ lower }) => lower))]);
  if (verb === 'play' || verb === 'practise')
    return make(wanted, subject, undefined, [...more, ...terms, 'play'], kind);
  return make(
    wanted,
    subject,
    isVerbLight && relation !== 'own' ? undefined : relation,
    [...more, ...terms],
    kind,
  );
}

/** `is my name`, `is the spare key`, `are my kids called`. */
function about(wanted: Wanted, words: readonly Word[], more: readonly string[]): Question | undefined {
  const last = words.at(-1)?.lower ?? '';
  if (['called', 'named'].includes(last)) return subjectQuestion('name', 'name', words.slice(0, -1), more);
  if (last === 'born') return subjectQuestion('when', 'birthday', words.slice(0, -1), more);
  if (last === 'from' && words.length > 1) {
    const subject = readSubject(words.slice(0, -1));
    if (subject) return make('where', subject, 'origin', [...more, ...subject.terms]);
  }
  if (verbOf(last) !== undefined && last.endsWith('ing') && words.length > 1) {
    const subject = readSubject(words.slice(0, -1));
    if (subject)
      return make(wanted, subject, undefined, [
        ...more,
        ...subject.terms,
        ...(LIGHT.has(last) || wanted === 'when' ? [] : [conceptOf(verbOf(last) ?? last)]),
      ]);
  }
  return readNamed(words, wanted, more);
}

function subjectQuestion(
  wanted: Wanted,
  relation: string,
  words: readonly Word[],
  more: readonly string[],
): Question | undefined {
  const subject = readSubject(words);
  return subject && make(wanted, subject, relation, [...more, ...subject.terms]);
}

const ATTRIBUTES: Readonly<Record<string, readonly [relation: string, wanted: Wanted]>> = {
  name: ['name', 'name'],
  names: ['name', 'name'],
  age: ['age', 'age'],
  job: ['job', 'what'],
  profession: ['job', 'what'],
  occupation: ['job', 'what'],
  employer: ['job', 'what'],
  birthday: ['birthday', 'when'],
  birthdate: ['birthday', 'when'],
  hometown: ['home', 'where'],
};

/** A noun phrase is asked for: `my sister's name`, `the code of my locker`. */
function readNamed(
  words: readonly Word[],
  wanted: Wanted,
  more: readonly string[] = [],
): Question | undefined {
  const names = words.filter(({ token }) => token.kind !== 'symbol');
  const subject = readSubject(names);
  if (!subject || names.length === 0) return undefined;
  const like = names.findIndex(({ lower }) => ['favourite', 'favorite', 'fave', 'preferred'].includes(lower));
  const hasMine = names.some(({ lower }) => lower === 'my' || lower === 'our');
  const nouns = names.filter(({ lower }) => !LIGHT.has(lower) && lower !== "'s");
  const ofAt = names.findIndex(({ lower }) => lower === 'of');
  const head = ofAt > 0 ? names[ofAt - 1] : nouns.at(-1);
  if (like !== -1 && hasMine && subject.persons.length === 0) {
    const kind = nouns.at(-1)?.lower;
    return make('what', USER, 'favourite', [], kind);
  }
  const attribute = head && Object.hasOwn(ATTRIBUTES, head.lower) ? ATTRIBUTES[head.lower] : undefined;
  if (names.some(({ lower }) => lower === 'birth') && hasMine && subject.persons.length === 0)
    return make('when', USER, 'birthday', more);
  if (attribute) {
    const others = nouns.filter((noun) => noun !== head);
    const terms = others.map(({ lower }) => conceptOf(lower));
    const about: Subject =
      others.length === 0 && hasMine
        ? USER
        : { ...subject, terms, persons: subject.persons.filter((person) => terms.includes(person)) };
    return make(wanted === 'where' || wanted === 'when' ? wanted : attribute[1], about, attribute[0], [
      ...more,
      ...terms,
    ]);
  }
  return make(wanted, subject, undefined, [...more, ...subject.terms]);
}

function readHow(words: readonly Word[]): Question | undefined {
  const what = words[1]?.lower ?? '';
  if (what === 'many' || what === 'much') {
    let at = 2;
    while (
      at < words.length &&
      !AUXILIARIES.has(words[at]?.lower ?? '') &&
      !ABOUT_ME.has(words[at]?.lower ?? '') &&
      at < 7 &&
      (at === 2 || verbOf(words[at]?.lower ?? '') === undefined)
    )
      at++;
    if (AUXILIARIES.has(words[2]?.lower ?? '') || ABOUT_ME.has(words[2]?.lower ?? '')) at = 2;
    const unit = words.slice(2, at).filter(({ lower }) => !LIGHT.has(lower));
    const base = readPredicate(words.slice(at), 'amount', []);
    if (!base) return undefined;
    const unitWord = unit[0]?.lower;
    const terms = [...base.terms, ...unit.map(({ lower }) => conceptOf(lower))];
    return {
      ...base,
      wanted: 'amount',
      terms,
      unit: what === 'many' ? unitWord : undefined,
      relation: base.relation === 'pay' ? undefined : base.relation,
    };
  }
  if (what === 'old') {
    const base = readPredicate(words.slice(2), 'age', []);
    return base && { ...base, wanted: 'age', relation: 'age', terms: base.terms };
  }
  if (Object.hasOwn(UNIT_OF, what)) {
    const base = readPredicate(words.slice(2), 'amount', []);
    return (
      base && {
        ...base,
        wanted: 'amount',
        unit: UNIT_OF[what],
        terms: what === 'tall' && base.terms.length === 0 ? [conceptOf('tall')] : base.terms,
      }
    );
  }
  if (BE.has(what))
    return words.some(({ lower }) => lower === 'called' || lower === 'named')
      ? readPredicate(words.slice(1), 'name', [])
      : undefined;
  if (AUXILIARIES.has(what) && !BE.has(what)) {
    const base = readPredicate(words.slice(1), 'what', []);
    return base && base.terms.length > 0 ? base : undefined;
  }
  if (what === 'often') {
    const base = readPredicate(words.slice(2), 'often', []);
    return base && { ...base, wanted: 'often' };
  }
  return undefined;
}

function readWhether(words: readonly Word[]): Question | undefined {
  const first = words[0]?.lower ?? '';
  const rest = words.slice(1);
  const base =
    BE.has(first) && !ABOUT_ME.has(rest[0]?.lower ?? '')
      ? about('whether', rest, [])
      : finish('whether', rest, []);
  return (
    base && { ...base, wanted: base.relation === 'name' && base.wanted === 'name' ? 'whether' : 'whether' }
  );
}

function nobody(): Subject {
  return { who: 'other', terms: [], persons: [], mine: false };
}

function make(
  wanted: Wanted,
  subject: Subject,
  relation: string | undefined,
  terms: readonly string[],
  kind?: string,
  positive = true,
): Question {
  return { wanted, subject, relation, terms: needed(terms), kind, unit: undefined, positive };
}

/** Words that say no more than the one they go with: a phone number is a phone. */
const IMPLIED: readonly (readonly [word: string, by: readonly string[]])[] = (
  [
    ['address', ['email']],
    ['number', ['phone', 'flat', 'passport', 'account']],
    ['code', ['pin']],
    ['type', ['blood']],
  ] as const
).map(([word, by]) => [conceptOf(word), by.map(conceptOf)]);

function needed(terms: readonly string[]): readonly string[] {
  const all = new Set(terms);
  for (const [word, by] of IMPLIED) if (by.some((one) => all.has(one))) all.delete(word);
  return [...all];
}
