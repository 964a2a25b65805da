import { isCalendarWord } from '../text/temporal';
import { singular, verbBases } from '../text/base-forms';
import { isNameWord, isPersonNoun } from './persons';
import { conceptOf, lowerAt, type Word } from './words';
import { nounSenses, sensesOf } from './wordnet';
import { wordsTagged } from '../text/lexicon/words';

/** What the answer has to be. */
export type Want =
  | 'time'
  | 'place'
  | 'person'
  | 'reason'
  | 'manner'
  | 'amount'
  | 'duration'
  | 'age'
  | 'often'
  | 'name'
  | 'job'
  | 'code'
  | 'email'
  | 'address'
  | 'kind'
  | 'whether'
  | 'what';

/** A word of a question that its answer has, or one like it. */
export interface Term {
  readonly word: string;
  readonly weight: number;
  /** Nothing answers without it: a name, who somebody is, what is counted. */
  readonly required: boolean;
  readonly isPerson: boolean;
  /** Somebody of whose sister or boyfriend is asked. */
  readonly isOwner: boolean;
  /** What is asked for itself: the password of `the wifi password at the shop`. */
  readonly isHead: boolean;
  /** Says what the question is about, so that a statement without it is about something else. */
  readonly essential: boolean;
  /** The verb of the question, where it says something by itself. */
  readonly isVerb: boolean;
}

interface TermContext {
  readonly want: Want;
  readonly isHead: boolean;
  readonly isChoice: boolean;
  readonly verb: Word | undefined;
}

/** Verbs of which an answer often has another. */
const LIGHT_VERBS = new Set([...wordsTagged('light-verbs')].map(conceptOf));
/** Verbs that say nothing by themselves. */
const EMPTY_VERBS = new Set([...wordsTagged('empty-verbs')].map(conceptOf));
/** True for a verb that says little by itself. */
export function isLightVerb(lower: string): boolean {
  return LIGHT_VERBS.has(conceptOf(lower)) || LIGHT_VERBS.has(lower);
}

const WEIGHTS = { name: 3, person: 2, other: 1.5, light: 0.6 };
/** `where is Odile from` asks for more than where she is. */
export const FROM: Term = {
  word: 'from',
  weight: WEIGHTS.other,
  required: false,
  isPerson: false,
  isOwner: false,
  isHead: false,
  essential: true,
  isVerb: false,
};

export function termOf(word: Word, words: readonly Word[], context: TermContext): Term {
  const { want, isHead, isChoice } = context;
  const { lower, token } = word;
  const at = words.indexOf(word);
  const isName =
    isNameWord(words, at) ||
    (/^\p{Lu}/u.test(token.text) && at > 0 && !isCalendarWord(lower) && lower !== 'october');
  const isPerson = isPersonNoun(word);
  const isCounted = want === 'amount' && /^(?:many|much|of)$/.test(lowerAt(words, at - 1));
  return {
    word: lower,
    weight: isName
      ? WEIGHTS.name
      : isPerson
        ? WEIGHTS.person
        : isLightVerb(lower) || (want === 'kind' && isModifier(words, at))
          ? WEIGHTS.light
          : WEIGHTS.other,
    required: (isName || isPerson || isCounted) && !isChoice,
    isPerson,
    isOwner: words[at + 1]?.lower === "'s" && words.slice(at + 2).some((one) => isPersonNoun(one)),
    isHead,
    isVerb:
      word === context.verb &&
      !/^(?:up|off|out|on|down)$/.test(lowerAt(words, at + 1)) &&
      !EMPTY_VERBS.has(conceptOf(lower)),
    essential:
      !isChoice && !(want === 'kind' && isModifier(words, at)) && isEssential(word, words[at - 1], context),
  };
}

/** The first noun of `which programming language`. */
function isModifier(words: readonly Word[], at: number): boolean {
  return at === 1 && ['what', 'which'].includes(lowerAt(words, 0));
}

/** A verb with many senses says little: `take`, `open`, `go`. */
const MIN_SENSES_LIGHT = 5;
const UNTYPED = new Set<Want>(['what', 'kind', 'person', 'whether']);

function isEssential(word: Word, before: Word | undefined, { want, isHead, verb }: TermContext): boolean {
  const { lower } = word;
  if (lower === 'before') return true;
  if (isHead && !UNTYPED.has(want)) return false;
  const senses = Math.max(...verbBases(lower).map((base) => sensesOf(base, 'verb').length));
  const nouns = nounSenses(singular(lower)).length;
  if (isLightVerb(lower)) return false;
  const isVerb =
    word === verb || (lower.endsWith('ing') ? nouns === 0 || before === verb : senses >= 2 * nouns);
  if (isVerb && senses > 0) return senses < MIN_SENSES_LIGHT;
  return nouns > 0 || (sensesOf(lower, 'adj').length > 0 && lower !== 'under' && lower !== 'after');
}
