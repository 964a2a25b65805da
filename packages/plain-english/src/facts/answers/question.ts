import { readAsked } from '../../recall/asking';
import { isNameWord } from '../../recall/persons';
import type { Want } from '../../recall/terms';
import { verbOf } from '../../recall/verbs';
import { conceptOf, toWords, type Word } from '../../recall/words';
import { tokenize } from '../../text/tokenizer';
import { attributesOf, isPersonNoun, topicsOf } from '../topics';

/** What a question asks, as far as values of it are compared. */
export interface Question {
  readonly lowers: readonly string[];
  readonly want: Want;
  /** Nouns that the answer is to be a kind of: the instrument of `which instrument do I play`. */
  readonly nouns: readonly string[];
  readonly topics: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** Words for those of whom is asked; none where it is the user. */
  readonly persons: readonly string[];
  /** Asks for what held before. */
  readonly isPast: boolean;
  /** The concept of its verb. */
  readonly verb: string;
}

const MAX_QUERY = 1_000;
const MAX_NOUNS = 3;
/** No value answers these: they ask for yes or no, a reason, or a way. */
const WITHOUT_VALUE: ReadonlySet<Want> = new Set(['whether', 'reason', 'manner']);
/** `who is my boss`, `what is my shift`. */
const ASKS_FOR_NOUN = / (?:what|who) (?:is|'s|are|was) (?:my|our) (?:\S+ ){1,4}$/;
const PASSING = / (?:these days|now|at the moment|currently|nowadays) $/;
const NAMING = / (?:called|named|name|who|whom|have i) /;
const PAST = / (?:did|was|were|used) .*(?:before|previous|used to)|previous|last time /;
const NOUN_END = /^(?:do|does|did|am|is|are|'s|has|have|should|can|will|i|was|were|my|our)$/;

/** Reads a question; undefined where no value can answer it. */
export function readQuestion(query: string): Question | undefined {
  const text = query.slice(0, MAX_QUERY);
  const words = toWords(tokenize(text).tokens).filter(
    ({ token }) => !(token.kind === 'symbol' && /[?!"“”.,]/.test(token.text)),
  );
  const asked = readAsked(text);
  if (asked === undefined || WITHOUT_VALUE.has(asked.want)) return undefined;
  const lowers = words.map(({ lower }) => lower);
  const spaced = ` ${lowers.join(' ')} `;
  const asksForNoun = ASKS_FOR_NOUN.test(spaced.replace(PASSING, ' ')) && !lowers.includes("'s");
  return {
    lowers,
    want: asked.want,
    nouns: nounsOf(lowers, asksForNoun),
    topics: topicsOf(lowers),
    classes: attributesOf(lowers),
    persons: personsOf(words, asksForNoun || NAMING.test(spaced)),
    isPast: PAST.test(spaced),
    verb: conceptOf(asked.verb ?? lowers.findLast((lower) => verbOf(lower) !== undefined) ?? ''),
  };
}

function nounsOf(lowers: readonly string[], asksForNoun: boolean): string[] {
  const at = lowers.findIndex((lower) => lower === 'what' || lower === 'which' || lower === 'whose');
  const end = lowers.findIndex((lower, place) => place > at && NOUN_END.test(lower));
  const phrase = at === -1 ? [] : lowers.slice(at + 1, end === -1 ? undefined : end).slice(-MAX_NOUNS);
  const last = lowers.at(-1) ?? '';
  return phrase.length > 0 || !asksForNoun || isPersonNoun(last) ? phrase : [last];
}

/**
 * Names, and nouns such as `sister`. One alone may be what is asked for itself: the boss of `who is my boss`.
 * @param asksForPerson whether such a noun may be what is asked for
 */
function personsOf(words: readonly Word[], asksForPerson: boolean): string[] {
  const isOfUser = words.some(({ lower }) => lower === 'i' || lower === 'we');
  const found = words.flatMap((word, at) => {
    if (isNameWord(words, at)) return [word.lower];
    const isOwner = words[at + 1]?.lower === "'s" || isNameWord(words, at + 1);
    return isPersonNoun(word.lower) && (isOwner || !asksForPerson) ? [word.lower] : [];
  });
  return isOfUser && !found.some(isPersonNoun) ? [] : found;
}
