import { spend } from '../allowance';
import { plural, singular } from '../text/stem';
import { type Clause, clausesOf } from './clauses';
import type { KnownFact, SaidFact } from './facts';
import {
  attributeNamed,
  ENDINGS,
  GERUNDS,
  isIn,
  type Pattern,
  STATEMENTS,
  toAttribute,
  WORDING,
} from './lexicon';
import { toValue } from './values';

const USER = 'user';
/** Work of comparing a clause with all patterns. */
const CLAUSE_COST = 180;
/** The maximum length of a clause that is compared, characters, and the maximum number of values of one list. */
const MAX_CLAUSE = 160;
const MAX_LISTED = 12;
/** The maximum number of facts of the same message that a clause may end. */
const MAX_BEFORE = 30;

const TAKES_BACK = /\b(?:not|never|no|but|just kidding|joking|though|or)\b/i;

/** The version of these rules. It rises when they read other facts of the same text, so that facts drawn before are drawn anew. */
export const factsVersion = 2;

interface Found {
  readonly attribute: string;
  readonly value: string | null;
  /** Whether something is said to end, not to hold. */
  readonly isFormer?: boolean;
}

/**
 * Reads the facts that a message says about its author in the patterns of the lexicon. What is asked, wished, supposed, denied or
 * said by others is no fact.
 * @param known the facts that hold before the message, the latest first: only what is known can end
 */
export function readFacts(message: string, known: readonly KnownFact[]): SaidFact[] {
  const facts: SaidFact[] = [];
  for (const clause of clausesOf(message)) {
    if (clause.asks || clause.unreal || clause.reported || clause.text.length > MAX_CLAUSE) continue;
    if (isForeign(clause.text)) continue;
    const last = facts.at(-1);
    // `My dentist has changed, it is Dr. Lee now`
    const text =
      last?.change === 'ends' ? clause.text.replace(/^it is /i, `my ${last.attribute} is `) : clause.text;
    const before = [...held(facts.slice(-MAX_BEFORE)), ...known];
    facts.push(...readClause({ ...clause, text }, WORDING.corrects.test(message), before));
  }
  return facts;
}

/** Afrikaans shares `my` and `is` with English, and some sentences are of two languages. A name may be any word. */
function isForeign(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some((word) => isIn('foreign', word) && word === word.toLowerCase());
}

type Known = readonly Pick<KnownFact, 'subject' | 'attribute' | 'value'>[];

/** What the clauses before say, as if it were known. */
function held(facts: readonly SaidFact[]): Known {
  return facts.flatMap(({ subject, attribute, value, change }) =>
    value === null || change === 'ends' ? [] : [{ subject, attribute, value }],
  );
}

type MakeFact = (attribute: string, value: string | null, change: SaidFact['change']) => SaidFact;

function readClause({ text: whole, start, end }: Clause, corrects: boolean, known: Known): SaidFact[] {
  spend(CLAUSE_COST);
  const userFacts = known.filter(({ subject }) => subject === USER);
  const make: MakeFact = (attribute, value, change) => {
    const single = attributeNamed(attribute).several !== true;
    return { subject: USER, certain: true, start, end, attribute, value, change, single };
  };
  const former = WORDING.notSo.exec(whole);
  const text = former ? whole.slice(0, former.index) : whole;
  const facts = matchPatterns(STATEMENTS, text);
  const added = facts.filter(({ isFormer }) => isFormer !== true);
  if (added.length === 0) return readEnds(whole, userFacts, make);
  const gone = facts.filter(({ isFormer }) => isFormer);
  const replaced = former?.[1] ?? gone[0]?.value;
  return added.flatMap(({ attribute, value }): SaidFact[] => {
    const { several, opposite, kind } = attributeNamed(attribute);
    const others = userFacts.filter((fact) => fact.attribute === attribute);
    // Of two drinks one is preferred.
    const isDrink = (one: string | null): boolean => isIn('drinks', one?.split(' ').at(-1) ?? '');
    const rivals = attribute === 'prefers' && isDrink(value) ? others : [];
    const rival = rivals.find((fact) => isDrink(fact.value));
    // `My flatmate is now Hana`: of several that there may be, the one that is known is no more.
    const isNow = /\bnow\b/i.test(text) && kind === 'my' && others.length === 1;
    const last = replaced ?? rival?.value ?? (isNow ? others[0]?.value : undefined);
    const isReplaced = last != null && isHeld(others, attribute, last) && !isSame(last, value ?? '');
    const change = corrects && others.length > 0 && several !== true ? 'corrects' : 'holds';
    const before = others.length > 0 ? undefined : gone.find((one) => one.attribute === attribute);
    return [
      ...(before ? [make(attribute, before.value, 'holds')] : []),
      ...(opposite !== undefined && isHeld(userFacts, opposite, value)
        ? [make(opposite, value, 'ends')]
        : []),
      { ...make(attribute, value, change), ...(isReplaced && { replaces: last }) },
    ];
  });
}

/** The facts that a clause says to be so no more: only what is known can end. */
function readEnds(text: string, userFacts: Known, make: MakeFact): SaidFact[] {
  return [...matchPatterns(ENDINGS, text), ...ended(text)].flatMap(({ attribute, value }) => {
    if (isHeld(userFacts, attribute, value)) return [make(attribute, value, 'ends')];
    if (attribute === 'employer') return [];
    const named = attribute === 'has' ? toAttribute(value ?? '') : undefined;
    if (named !== undefined && isHeld(userFacts, named, null)) return [make(named, null, 'ends')];
    // What is sold may have been said to be owned, with or without its kind: the bike, and the Clio of `a Renault Clio`.
    const meant = userFacts.find(
      (fact) =>
        /^(?:has|car)$/.test(fact.attribute) &&
        ` ${fact.value} `.toLowerCase().includes(` ${value ?? attribute} `.toLowerCase()),
    );
    return meant ? [make(meant.attribute, meant.value, 'ends')] : [];
  });
}

function isHeld(facts: Known, attribute: string, value: string | null): boolean {
  return facts.some((fact) => fact.attribute === attribute && (value === null || isSame(fact.value, value)));
}

/** What a clause says to be so no more: `I no longer work at Acme`. */
function ended(text: string): Found[] {
  const [, subject = '', verb = '', stopped, rest = ''] = WORDING.ended.exec(text) ?? [];
  if (rest === '') return [];
  const [first = ''] = rest.split(' ');
  const gerund = GERUNDS[first];
  if (stopped !== undefined && gerund === undefined) return [];
  const positive = stopped === undefined ? rest : rest.replace(first, gerund ?? '');
  const copula = verb === 'do' || verb === 'does' ? '' : verb;
  return matchPatterns(STATEMENTS, [subject, copula, positive].filter((part) => part !== '').join(' '));
}

/** What a clause says in the words of a pattern, with and without what may follow. Pure. */
export function matchPatterns(patterns: readonly Pattern[], whole: string): Found[] {
  const texts = [whole.replace(WORDING.adverbs, '$1 ')];
  for (let cuts = 0; cuts < 3; cuts++) {
    const [text = ''] = texts;
    const rest = text.replace(WORDING.tail, '');
    if (rest === text) break;
    texts.unshift(rest);
  }
  // What is added after a comma may be left out, unless it takes back what is said.
  const [first = '', more] = (texts.at(-1) ?? '').split(/, (.*)/s);
  if (more !== undefined && !TAKES_BACK.test(more)) texts.push(first, first.replace(WORDING.tail, ''));
  for (const text of texts)
    for (const pattern of patterns) {
      const facts = readPattern(pattern, text);
      if (facts !== undefined) return facts;
    }
  return [];
}

/** The facts of a text that has the form of a pattern; undefined if it has not, or if its words are no values. */
function readPattern({ expression, slots, ends }: Pattern, text: string): Found[] | undefined {
  const groups = expression.exec(text)?.slice(1);
  if (groups === undefined) return undefined;
  const parts = slots.map((slot, at) => ({ ...slot, text: groups[at] }));
  const noun = parts.find(({ name }) => name === '@');
  const attribute = noun && nounOf(noun.text ?? '', noun.kind);
  if (noun && attribute === undefined) return undefined;
  const facts: Found[] = [];
  for (const { name, kind, text: words } of parts) {
    if (name === '@' || words === undefined) continue;
    const values = valuesOf(name, kind, words, attribute);
    if (values === undefined) return undefined;
    facts.push(...values);
  }
  if (attribute !== undefined && facts.length === 0) facts.push({ attribute, value: null });
  return facts.length > 0 ? facts : ends.map((one) => ({ attribute: one, value: null }));
}

function nounOf(words: string, kind: string | undefined): string | undefined {
  const attribute = toAttribute(words);
  const last = attribute?.split(' ').at(-1) ?? '';
  if (kind === 'secret' && !attribute?.split(' ').some((word) => isIn('secrets', word))) return undefined;
  if (kind === 'plural' && singular(words) === words && !/children/.test(words)) return undefined;
  if (kind === 'being' && !isIn('persons', last) && !isIn('pets', last)) return undefined;
  return last === '' ? undefined : attribute;
}

function valuesOf(name: string, kind: string | undefined, words: string, noun = ''): Found[] | undefined {
  if (name === '#')
    return toValue('count', words) === undefined
      ? undefined
      : [{ attribute: `number of ${plural(noun)}`, value: words }];
  const attribute = name === '=' ? noun : name.replace(/^-/, '');
  const spec = attributeNamed(attribute);
  const isList = name !== '=' ? spec.several === true : kind === 'names' || spec.several === true;
  const pieces = isList ? words.split(/,? (?:and|&) |, /, MAX_LISTED) : [words];
  const values = pieces.map((piece) => toValue(kind ?? spec.kind, piece, attribute));
  if (values.some((value) => value === undefined)) return undefined;
  if (name === '=' && attribute === 'name' && kind === 'self') return undefined;
  return values.map((value) => ({ attribute, value: value ?? null, isFormer: name.startsWith('-') }));
}

/** Compares values without case, punctuation and a leading article. */
export function isSame(one: string, other: string): boolean {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/^(?:an?|the|my|our) /, '')
      .replace(/[^\p{L}\p{N}+#$€£]+/gu, ' ')
      .trim();
  return plain(one) === plain(other);
}
