import { isKnownKind } from './kinds';
import { about, finish, readPredicate } from './predicates';
import { ABOUT_ME, make } from './question';
import { readSubject } from './subjects';
import type { Question, Wanted } from './types';
import { AUXILIARIES, BE, verbOf } from './verbs';
import { conceptOf, LIGHT, type Word } from './words';

const UNIT_OF: Readonly<Record<string, string>> = {
  far: 'length',
  tall: 'length',
  heavy: 'weight',
  long: 'duration',
  high: 'length',
  big: 'size',
  fast: 'speed',
};

export function readAsking(words: readonly Word[]): Question | undefined {
  const first = words[0]?.lower ?? '';
  if (first === 'why') return undefined;
  if (/^(?:happened|happens)$/.test(words[1]?.lower ?? '') && /^(?:to|with)$/.test(words[2]?.lower ?? '')) {
    const subject = readSubject(words.slice(3));
    return subject?.who === 'other' ? make('about', subject, undefined, subject.terms) : undefined;
  }
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
  if (head === 'breed') return { ...base, kind: 'animal' };
  if (['breed', 'brand', 'make', 'model', 'diet'].includes(head) && base.relation === undefined) return base;
  if (/^(?:ages?)$/.test(head)) return { ...base, wanted: 'age', relation: 'age' };
  return { ...base, kind: head };
}

/** True where a noun that `which` or `what` began is over: `drink` is one in `which drink do I like`. */
function endsNoun(words: readonly Word[], at: number): boolean {
  const lower = words[at]?.lower ?? '';
  if (AUXILIARIES.has(lower) || ABOUT_ME.has(lower)) return true;
  const next = words[at + 1]?.lower ?? '';
  return verbOf(lower) !== undefined && !AUXILIARIES.has(next) && !ABOUT_ME.has(next);
}

export function readHow(words: readonly Word[]): Question | undefined {
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

export function readWhether(words: readonly Word[]): Question | undefined {
  const first = words[0]?.lower ?? '';
  const rest = words.slice(1);
  const base =
    BE.has(first) && !ABOUT_ME.has(rest[0]?.lower ?? '')
      ? about('whether', rest, [])
      : finish('whether', rest, []);
  const article = rest.at(-2)?.lower ?? '';
  const kind = ['a', 'an', 'any'].includes(article) ? rest.at(-1)?.lower : undefined;
  if (!base || kind === undefined || base.kind !== undefined || BE.has(first))
    return base && { ...base, wanted: 'whether' };
  return { ...base, wanted: 'whether', terms: base.terms.filter((term) => term !== conceptOf(kind)), kind };
}
