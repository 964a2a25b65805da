import { ABOUT_ME, make, nobody, textOf } from './question';
import { readSubject, USER } from './subjects';
import type { Question, Subject, Wanted } from './types';
import { ADVERBS, AUXILIARIES, BE, relationOf, verbOf } from './verbs';
import { conceptOf, LIGHT, termsOf, type Word } from './words';

const SPOUSE = conceptOf('spouse');
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
  role: ['job', 'what'],
  position: ['job', 'what'],
};

/** The part from the auxiliary on: `do I like to drink`, `is my name`, `am I allergic to`. */
export function readPredicate(
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
      return make(wanted, nobody(), undefined, [...more, ...termsOf(words.map(({ lower }) => lower))]);
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
  const question = finish(wanted, words.slice(1), more);
  // `would I like to visit` asks for a wish.
  return question?.relation === 'like' && first === 'would' ? { ...question, relation: 'want' } : question;
}

/** Subject, then verb, then the rest. */
export function finish(
  wanted: Wanted,
  words: readonly Word[],
  more: readonly string[],
): Question | undefined {
  const first = words[0]?.lower ?? '';
  if (first === 'i' || first === 'we') {
    let at = 1;
    while (at < words.length && (ADVERBS.has(words[at]?.lower ?? '') || words[at]?.lower === 'not')) at++;
    const negated = words.slice(1, at + 1).some(({ lower }) => lower === 'not' || lower === 'never');
    if (words[at]?.lower === 'am' || words[at]?.lower === 'are') at++;
    if (words[at]?.lower === 'supposed' || words[at]?.lower === 'going') at += 2;
    return predicate(wanted, USER, words.slice(at), more, negated);
  }
  // `what my name is`
  if (words.length > 1 && BE.has(words.at(-1)?.lower ?? '')) return about(wanted, words.slice(0, -1), more);
  const verbAt = words.findIndex(
    (word, index) => index > 0 && (verbOf(word.lower) !== undefined || BE.has(word.lower)),
  );
  if (verbAt === -1) return about(wanted, words, more);
  const subject = readSubject(words.slice(0, verbAt));
  if (!subject) return undefined;
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
    (rest.length === 0 ||
      /^do (?:for (?:a living|(?:a )?(?:living|work|job))|professionally|for money|as a job)/.test(text))
  ) {
    return make('what', subject, 'job', more);
  }
  if (/^called\b|^named\b/.test(text)) return make('name', subject, 'name', more);
  if (/^born\b/.test(text)) return make(wanted, subject, 'birthday', more);
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
    const drinkOrFood = infinitive === 'drink' ? 'drink' : infinitive === 'eat' ? 'food' : undefined;
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
export function about(wanted: Wanted, words: readonly Word[], more: readonly string[]): Question | undefined {
  const last = words.at(-1)?.lower ?? '';
  if (['called', 'named'].includes(last)) return subjectQuestion('name', 'name', words.slice(0, -1), more);
  if (last === 'born')
    return subjectQuestion(wanted === 'where' ? 'where' : 'when', 'birthday', words.slice(0, -1), more);
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

/** A noun phrase is asked for: `my sister's name`, `the code of my locker`. */
export function readNamed(
  words: readonly Word[],
  wanted: Wanted,
  more: readonly string[] = [],
): Question | undefined {
  const names = words.filter(({ token }) => token.kind !== 'symbol');
  const subject = readSubject(names);
  if (!subject || names.length === 0) return undefined;
  const isLeast = names.some(({ lower }) => lower === 'least');
  const like = isLeast
    ? -1
    : names.findIndex(({ lower }) => ['favourite', 'favorite', 'fave', 'fav', 'preferred'].includes(lower));
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
