import { build, DROPPED, ME, withContext, type Asked } from './asked';
import { type Want } from './terms';
import { isFiniteVerb, isShortIs } from './finite';
import { isClosedKind } from './kinds';
import { isPersonNoun } from './persons';
import { ASKING, splitQuestion, strip } from './questions';
import { isSmallTalk } from './small-talk';
import { AUXILIARIES, BE } from './verbs';
import { hasWord, LIGHT, lowerAt, plainText, type Word } from './words';
import wants from '../text/lexicon/wants.json';
import { wordsTagged } from '../text/lexicon/words';

/** Longest question, words. */
const MAX_WORDS = 30;

function wantedBy(words: Readonly<Partial<Record<Want, string>>>): ReadonlyMap<string, Want> {
  return new Map(
    Object.entries(words).flatMap(([want, list]) => list.split(' ').map((word) => [word, want as Want])),
  );
}
/** Nouns that say what an answer has to be. */
const NOUNS = wantedBy(wants.nouns);
/** Those that an answer does not repeat: who says `on Tuesday` says no `day`. */
const UNSAID = wordsTagged('unsaid');
/** What `how` asks for with the word after it. */
const SIZES = wantedBy(wants.sizes);
const AFTER_HEAD = wordsTagged('after-head');
const GENERAL = new Set(['way', 'thing', 'things', 'one', 'kind', 'sort', 'direction']);

/** What a text asks; undefined for one that asks nothing that an earlier message may say. */
export function readAsked(query: string): Asked | undefined {
  if (isSmallTalk(query)) return undefined;
  const parts = splitQuestion(query);
  const asked = parts && readQuestion(query, parts.question);
  const isPointing = parts?.question.some(({ lower }) => POINTERS.has(lower)) === true;
  return asked && isPointing && parts.before.length < MAX_WORDS ? withContext(asked, parts.before) : asked;
}

const POINTERS = new Set(['it', 'that', 'he', 'she', 'they', 'him', 'her', 'them', 'there']);

/** Questions whose form says what is wanted, and which of their words an answer has no need of. */
const FORMS: readonly (readonly [form: RegExp, want: Want, dropped?: RegExp])[] = [
  [/^how .*\b(?:called|named)\b/, 'name'],
  [/^why\b/, 'reason'],
  [/^where/, 'place'],
  [/^when\b/, 'time'],
  [
    /^(?:what|which) (?:do|does|did) (?:\S+ ){1,4}do(?:$| for (?:a living|work|money)\b)/,
    'job',
    /^(?:do|does|did|for|living|work|money)$/,
  ],
  [/^(?:what|which) .*\b(?:call|called|named|to name)\b/, 'name', /^(?:call|called|named|name)$/],
  [/^(?:what|which) happened to\b/, 'what', /^(?:happened|to)$/],
];

function readQuestion(query: string, all: readonly Word[]): Asked | undefined {
  const words = strip(all).filter(({ lower }) => lower !== 'please');
  if (words.length === 0 || words.length > MAX_WORDS) return undefined;
  const start = words.findIndex(({ lower }, at) => ASKING.has(lower) && (at < 3 || at === words.length - 1));
  const first = lowerAt(words, Math.max(0, start));
  if (start < 0) {
    if (/^(?:is|are) there an?y? /.test(plainText(words))) return ofWhat(words.slice(3), words);
    if (AUXILIARIES.has(first)) return build({ want: 'whether', rest: words }, words);
    return isPhrase(query, words) ? ofNoun(words, words) : undefined;
  }
  // `rent due when?` asks with its last word.
  const rest = start === words.length - 1 ? words.slice(0, start) : words.slice(start + 1);
  const form = `${first} ${plainText(rest)}`;
  const [, want, dropped] = FORMS.find(([pattern]) => pattern.test(form)) ?? [];
  if (want) return build({ want, rest: rest.filter(({ lower }) => dropped?.test(lower) !== true) }, words);
  if (first === 'how') return ofHow(rest, words);
  return first.startsWith('who') ? ofWho(rest, words, first === 'whose') : ofWhat(rest, words);
}

/** The words of the last question, without marks. */
export function wordsAsked(query: string): readonly Word[] {
  const words = splitQuestion(query)?.question ?? [];
  return words.filter(({ token }) => !(token.kind === 'symbol' && /[?!"“”.,]/.test(token.text)));
}

/** `my shirt size, please` asks, and so does `mums bday?`. */
function isPhrase(query: string, words: readonly Word[]): boolean {
  const isAsked =
    hasWord(words, 'my', 'our') ||
    /\?\s*$/.test(query) ||
    /\b(?:give|tell|remind|needs?|wants?|please|pls)\b/i.test(query);
  return isAsked && words.length < 12 && !isStatement(query, words);
}

/** `My flight was moved to 16:10` tells, and asks nothing. */
function isStatement(query: string, words: readonly Word[]): boolean {
  const isOwn = hasWord(words.slice(0, 1), 'my', 'our');
  return isOwn && !/\?\s*$/.test(query) && words.some((_, at) => at > 1 && isFiniteVerb(words, at));
}

function ofHow(rest: readonly Word[], words: readonly Word[]): Asked {
  const size = lowerAt(rest, 0);
  const want = SIZES.get(size);
  if (want === undefined) return build({ want: 'manner', rest }, words);
  return build({ want, rest: size === 'tall' || size === 'heavy' ? rest : rest.slice(1) }, words);
}

function ofWho(rest: readonly Word[], words: readonly Word[], isOwner: boolean): Asked {
  const named = rest.slice(1);
  const isBe = BE.has(lowerAt(rest, 0)) && !isOwner;
  return build({ want: 'person', rest, head: isBe ? headOf(named) : undefined }, words);
}

function ofWhat(rest: readonly Word[], words: readonly Word[]): Asked {
  const isDone = AUXILIARIES.has(lowerAt(rest, 0));
  if (isDone && hasWord(rest, 'cost', 'owe', 'pay', 'charge', 'weigh', 'earn'))
    return build({ want: 'amount', rest }, words);
  const end = nounEnd(rest);
  const phrase = rest.slice(0, end);
  if (phrase.some(({ lower }) => !LIGHT.has(lower) && !DROPPED.has(lower)))
    return ofWhich(phrase, rest, words);
  const isNoun = BE.has(lowerAt(rest, end)) && !ME.has(lowerAt(rest, end + 1));
  return isNoun ? ofNoun(rest.slice(end + 1), words) : build({ want: 'what', rest }, words);
}

/** Where the noun after `which` ends: `drink` in `which drink do I like`. */
function nounEnd(rest: readonly Word[]): number {
  const end = rest.findIndex(
    ({ lower }, at) =>
      AUXILIARIES.has(lower) ||
      ME.has(lower) ||
      (lower === "'s" && isShortIs(rest, at)) ||
      (at > 0 && isFiniteVerb(rest, at)) ||
      at > 5,
  );
  return end === -1 ? rest.length : end;
}

function ofWhich(phrase: readonly Word[], rest: readonly Word[], words: readonly Word[]): Asked {
  const head = headOf(phrase);
  if (!head || GENERAL.has(head.lower))
    return build({ want: 'what', rest: rest.filter(({ lower }) => !GENERAL.has(lower)) }, words);
  return typed(head, rest, words);
}

/** `my sister's husband`, `the order number of the bookcase`. */
function ofNoun(phrase: readonly Word[], words: readonly Word[]): Asked {
  const head = headOf(phrase);
  if (!head) return build({ want: 'what', rest: phrase }, words);
  if (head.lower === 'address')
    return phrase.some(({ lower }) => /^e?-?mail$/.test(lower))
      ? build({ want: 'email', rest: phrase.filter((word) => word !== head) }, words)
      : build({ want: 'address', rest: phrase }, words);
  if (NOUNS.has(head.lower) || (isClosedKind(head.lower) && !isPersonNoun(head)))
    return typed(head, phrase, words);
  return build({ want: isPersonNoun(head) ? 'person' : 'what', rest: phrase, head }, words);
}

/** The noun that a phrase is about. */
function headOf(phrase: readonly Word[]): Word | undefined {
  const stop = phrase.findIndex(({ lower }, at) => at > 0 && AFTER_HEAD.has(lower));
  return phrase
    .slice(0, stop === -1 ? undefined : stop)
    .findLast(
      ({ lower, token }) =>
        token.kind === 'word' && !DROPPED.has(lower) && (lower === 'name' || !LIGHT.has(lower)),
    );
}

function typed(head: Word, phrase: readonly Word[], words: readonly Word[]): Asked {
  const want = NOUNS.get(head.lower);
  const others = phrase.filter((word) => word !== head);
  if (want === undefined) return build({ want: 'kind', rest: others, kind: head.lower }, words);
  const rest = UNSAID.has(head.lower) ? others : phrase;
  const kind = want === 'place' ? head.lower : undefined;
  return build({ want, rest, kind, head: want === 'name' ? undefined : head }, words);
}
