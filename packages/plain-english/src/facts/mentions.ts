import { isCalendarWord } from '../text/temporal';
import { verbOf } from '../recall/verbs';
import { isNumberWord } from '../text/number-words';
import type { Word } from '../recall/words';
import { type Clause, isVerb } from './segments';
import { attributesOf, isCommonNoun, isPersonNoun } from './topics';
import { ARTICLES, FILLERS, NO_NOUN, PREPOSITIONS, SINCE, TITLES } from './words';

export type Kind = 'phone' | 'email' | 'time' | 'number' | 'code' | 'quoted' | 'name' | 'thing';

/** A part of a clause that may be a value. */
export interface Span {
  readonly kind: Kind;
  /** Word numbers; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A part of a clause that may be the value of a fact. */
export interface Mention extends Span {
  /** The word before it and before its article and adverbs. */
  readonly before: string;
  /** True where it says since when something is so. */
  readonly isWhen: boolean;
}

/** Where a span that begins at a word ends, and what it is. */
interface SpanEnd {
  readonly kind: Kind;
  readonly to: number;
}

const MAX_NOUN_WORDS = 4;
const JOINED = /^(?:of|the|and|&|de|la|upon|'s)$/;
const MONTH =
  /^(?:january|february|march|april|june|july|august|september|october|november|december|christmas|easter)$/;
const DAY = /^(?:yesterday|today|tomorrow|tonight)$/;
const UNIT = /^(?:thousand|million|hundred|grand|percent|pence|\p{Ll}{1,3})$/u;
const ADVERB =
  /^(?:now|just|also|still|only|currently|actually|really|about|around|officially|called|named|always|already|finally|simply|mostly|fully|totally|completely|all|gone|'s|like|:|-|–)$/;
const ADJECTIVE = /^(?:new|newest|latest|other|little|big|nice|lovely|brand|small|full|certain)$/;

/** The mentions of a clause, in order, without what only fills it. */
export function mentionsOf(clause: Clause, source: string): Mention[] {
  const { words, lowers } = clause;
  return spansOf(clause, source).flatMap(({ kind, from, to, text }) => {
    if (isFiller(words, from, { kind, to })) return [];
    let back = from;
    while (back > 0 && (ARTICLES.has(lowers[back - 1] ?? '') || ADJECTIVE.test(lowers[back - 1] ?? '')))
      back--;
    while (back > 0 && ADVERB.test(lowers[back - 1] ?? '')) back--;
    const before = lowers[back - 1] ?? '';
    const isWhen = kind === 'time' && (SINCE.has(before) || DAY.test(lowers[from] ?? ''));
    return { kind, from, to, text, before, isWhen };
  });
}

/** The parts of a clause that may be values, in order, none overlapping another. */
export function spansOf(clause: Pick<Clause, 'words' | 'verb'>, source: string): Span[] {
  const { words } = clause;
  const found: Span[] = [];
  for (let from = 0; from < words.length;) {
    const span = opaqueAt(words, from) ?? nameAt(words, from) ?? thingAt(clause, from);
    const [first, last] = [words[from]?.token, span && words[span.to - 1]?.token];
    if (span && first && last) found.push({ ...span, from, text: source.slice(first.start, last.end) });
    from = span?.to ?? from + 1;
  }
  return found;
}

/** True for words that only fill a sentence, and for verbs and adjectives that look like nouns. */
function isFiller(words: readonly Word[], at: number, { kind, to }: SpanEnd): boolean {
  const [before = '', first = '', last = ''] = [at - 1, at, to - 1].map((place) => words[place]?.lower);
  if (kind === 'name') return to === at + 1 && (FILLERS.has(first) || (at === 0 && isPersonNoun(first)));
  if (kind !== 'thing') return false;
  if (/^(?:old|wrong|previous|former)$/.test(first)) return true;
  if (words[to]?.token.kind === 'number' || (/en$/.test(first) && /^(?:have|has|had)$/.test(before)))
    return true;
  // In `a hot desk at The Tannery` the desk is the subject and not a value.
  if (
    /^(?:at|to|in|with|from)$/.test(words[to]?.lower ?? '') &&
    attributesOf([last]).size > 0 &&
    words.length > to + 1
  )
    return true;
  if (
    (FILLERS.has(last) && (to === at + 1 || !/^ones?$/.test(last))) ||
    (at === 0 && verbOf(first) !== undefined && !/ing$/.test(first))
  )
    return true;
  const mayBeVerb = at === 0 || /^(?:am|is|are|'s|was|were|be|been|have|has|had|got|and|i|we)$/.test(before);
  const isForm = /ed$/.test(first)
    ? !isCommonNoun(first)
    : mayBeVerb && /ing$/.test(first) && verbOf(first) !== undefined;
  return to === at + 1 && isForm && words[to]?.lower !== 'is';
}

function opaqueAt(words: readonly Word[], at: number): SpanEnd | undefined {
  const word = words[at];
  const kind = word?.token.kind;
  if (!word || kind === undefined) return undefined;
  if (kind === 'word' && isNumberWord(word.lower) && word.lower !== 'one')
    return { kind: 'number', to: unitEnd(words, at + 1) };
  if (kind === 'phone' || kind === 'email' || kind === 'quoted') return { kind, to: at + 1 };
  if (kind === 'url' || kind === 'domain') return { kind: 'email', to: at + 1 };
  if (isTime(word)) return { kind: 'time', to: timeEnd(words, at + 1) };
  const month = words[at + 1]?.lower === 'of' ? at + 2 : at + 1;
  const isDated =
    (kind === 'number' || kind === 'ordinal') &&
    (MONTH.test(words[month]?.lower ?? '') || words[month]?.token.text === 'May');
  if (isDated) return { kind: 'time', to: month + 1 };
  const isMoney = /^[$£€]$/.test(word.lower) && words[at + 1]?.token.kind === 'number';
  if (!isMoney && kind !== 'number' && kind !== 'ordinal') return undefined;
  const touching = words[at + 1]?.token;
  if (touching?.kind === 'word' && touching.start === word.token.end && /^\p{Lu}{1,3}$/u.test(touching.text))
    return { kind: 'code', to: at + 2 };
  const to = isMoney ? at + 2 : at + 1;
  return { kind: 'number', to: unitEnd(words, to) };
}

/** The place after what a number counts. */
function unitEnd(words: readonly Word[], to: number): number {
  const next = words[to];
  const isPart = next?.token.kind === 'word' && /^\p{Ll}/u.test(next.token.text) && !isStop(next.lower);
  return isPart && (UNIT.test(next.lower) || verbOf(next.lower) === undefined) ? to + 1 : to;
}

function isTime({ lower, token }: Word): boolean {
  if (token.kind === 'time' || token.kind === 'date' || MONTH.test(lower) || DAY.test(lower)) return true;
  return lower !== 'may' && (isCalendarWord(lower) || isCalendarWord(lower.replace(/s$/, '')));
}

/** Goes on over `Monday at 15:45` and `12th of June`. */
function timeEnd(words: readonly Word[], from: number): number {
  let to = from;
  for (;;) {
    const next = /^(?:at|the|of)$/.test(words[to]?.lower ?? '') ? to + 1 : to;
    const word = words[next];
    const isNumber = word?.token.kind === 'ordinal' || (word?.token.kind === 'number' && next > to);
    if (!word || !(isNumber || (isTime(word) && (next > to || word.token.kind === 'time')))) return to;
    to = next + 1;
  }
}

export function isCapital(word: Word | undefined): boolean {
  if (word?.token.kind !== 'word' || word.lower === 'i' || word.token.lower.startsWith("i'")) return false;
  return (
    /^\p{Lu}|^\p{Ll}-?\p{Lu}/u.test(word.token.text) &&
    !NO_NOUN.has(word.lower) &&
    !isCalendarWord(word.lower)
  );
}

function isCode({ token }: Word): boolean {
  return token.kind === 'word' && /\d/.test(token.text) && /\p{L}/u.test(token.text);
}

/** Words with capitals, a title among them; the first word of a sentence only where it is known as nothing else. */
function nameAt(words: readonly Word[], at: number): SpanEnd | undefined {
  const word = words[at];
  if (!word || !(isCapital(word) || isCode(word)) || PREPOSITIONS.has(word.lower)) return undefined;
  const isTitle = TITLES.has(word.lower);
  if (at === 0 && !isTitle && !isCode(word) && !beginsName(words)) return undefined;
  let to = at + 1;
  for (;;) {
    if (isCapital(words[to])) to++;
    else if (isTitle && words[to]?.lower === '.') to++;
    else if (joins(words, at, to)) to += 2;
    else if (words[to]?.token.kind === 'number' && /^\d{1,2}$/.test(words[to]?.token.text ?? '')) to++;
    else if (to === at + 1 && /^\p{Lu}$/u.test(word.token.text) && words[to] && isNounLike(words[to] as Word))
      to++;
    else return { kind: isCode(word) ? 'code' : 'name', to };
  }
}

/** `The Hare and Hounds` is one name, `Netflix and Disney` are two. */
function joins(words: readonly Word[], at: number, to: number): boolean {
  const lower = words[to]?.lower ?? '';
  if (!JOINED.test(lower) || !isCapital(words[to + 1]) || to - at > 2) return false;
  return lower !== 'and' || words[at - 1]?.lower === 'the' || words[at]?.lower === 'the';
}

function beginsName([first, second]: readonly Word[]): boolean {
  if (!first || ARTICLES.has(first.lower)) return false;
  if (isCapital(second)) return true;
  if (/ing$|ed$|ly$/.test(first.lower) || verbOf(first.lower) !== undefined) return false;
  if (ADJECTIVE.test(first.lower) || FILLERS.has(first.lower)) return false;
  const isAlone =
    second === undefined ||
    isVerb(second) ||
    second.token.kind === 'symbol' ||
    PREPOSITIONS.has(second.lower);
  return second?.lower === "'s" || (isAlone && !isCommonNoun(first.lower));
}

/** A noun or an adjective with those that follow it. */
function thingAt({ words, verb }: Pick<Clause, 'words' | 'verb'>, from: number): SpanEnd | undefined {
  const word = words[from];
  if (!word || !isNounLike(word) || from === verb) return undefined;
  const isIntroduced =
    ARTICLES.has(words[from - 1]?.lower ?? '') || (from > verb && isCommonNoun(word.lower));
  if (isAction(word) && !isIntroduced) return undefined;
  let to = from + 1;
  for (; to - from < MAX_NOUN_WORDS; to++) {
    const next = words[to];
    if (!next || to === verb || !isNounLike(next) || /^\p{Lu}/u.test(next.token.text)) break;
    if (isAction(next) && !isCommonNoun(next.lower)) break;
  }
  return { kind: 'thing', to };
}

function isAction(word: Word): boolean {
  return isVerb(word) && !word.lower.endsWith('ing');
}

function isStop(lower: string): boolean {
  return NO_NOUN.has(lower) || PREPOSITIONS.has(lower) || ARTICLES.has(lower);
}

function isNounLike({ lower, token }: Word): boolean {
  return (
    token.kind === 'word' &&
    /^\p{L}/u.test(lower) &&
    !isStop(lower) &&
    !ADVERB.test(lower) &&
    !/ly$/.test(lower)
  );
}
