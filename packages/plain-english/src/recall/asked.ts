import { isPersonNoun } from './persons';
import { FROM, termOf, type Term, type Want } from './terms';
import { tasteOf, type Taste } from './taste';
import { AUXILIARIES, verbOf } from './verbs';
import { conceptOf, hasWord, LIGHT, lowerAt, plainText, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

/** What a question asks, and of whom. */
export interface Asked {
  readonly want: Want;
  readonly words: readonly Word[];
  /** The noun after `which`, or what is liked is to be: drink, island. */
  readonly kind: string | undefined;
  readonly terms: readonly Term[];
  /** The user is who does or is what is asked for. */
  readonly ofUser: boolean;
  /** `does Mia owe me`: the user is the one to whom it is done. */
  readonly toUser: boolean;
  /** Nouns right after `my` or `our`, besides those that name somebody. */
  readonly mine: readonly string[];
  /** The question itself asks for a wish or a plan. */
  readonly open: boolean;
  readonly verb: string | undefined;
  readonly negated: boolean;
  readonly past: boolean;
  /** `tea or coffee`: either will do. */
  readonly isChoice: boolean;
  readonly taste: Taste | undefined;
  /** What is counted: litres, cats. */
  readonly unit: string | undefined;
  /** Asks what the assistant said. */
  readonly ofAssistant: boolean;
}

/** What a reader of questions knows besides the words. */
interface AskedParts {
  readonly want: Want;
  /** The words of which an answer has to have some. */
  readonly rest: readonly Word[];
  readonly kind?: string;
  readonly head?: Word;
}

export const ME = new Set(['i', 'we']);
/** Words that an answer leaves out. */
export const DROPPED = wordsTagged('dropped');
const TASTES = wordsTagged('tastes');
const REPORTS = wordsTagged('reports');
const OPEN = /\b(?:want|wants|would|could|might|may|should|plan|planning|hope|wish|if|can|supposed|think)\b/;
const TO_ASSISTANT =
  /\b(?:did|do|had|have|would) you (?:say|said|suggest|suggested|recommend|recommended|mention|mentioned|tell|told|propose|advise)\b|\byou (?:said|told|suggested|recommended|mentioned)\b/;
const CONSUMED: Readonly<Record<string, string>> = { eat: 'food', drink: 'drink' };

/** A question from its parts and all its words. */
export function build({ want, rest, kind, head }: AskedParts, words: readonly Word[]): Asked {
  const lowers = words.map(({ lower }) => lower);
  const text = plainText(words);
  const taste = tasteOf(words);
  const ofAssistant = TO_ASSISTANT.test(text) && !/\b(?:remember|know)\b/.test(text);
  const consumed = taste === undefined ? undefined : /\bto (drink|eat)$/.exec(text)?.[1];
  const liked = CONSUMED[consumed ?? ''];
  const isChoice = want === 'whether' && lowers.includes('or');
  const isUnsaid = (lower: string): boolean =>
    LIGHT.has(lower) ||
    DROPPED.has(lower) ||
    lower === 'you' ||
    lower === consumed ||
    (taste !== undefined && TASTES.has(lower)) ||
    (ofAssistant && REPORTS.has(lower));
  const subject = words.findIndex(
    ({ lower }, at) =>
      ME.has(lower) &&
      (at < 3 ||
        AUXILIARIES.has(lowers[at - 1] ?? '') ||
        lowers[at - 1] === 'not' ||
        at === words.length - 1),
  );
  const terms = rest
    .filter(
      ({ lower, token }) =>
        token.kind !== 'symbol' && !isUnsaid(lower) && (lower.length > 1 || token.kind !== 'word'),
    )
    .map((word) =>
      termOf(word, words, { want, isHead: word === head, isChoice, verb: verbAfter(words, subject) }),
    );
  if (want === 'place' && lowers.at(-1) === 'from' && words.at(-1)) terms.push(FROM);
  const isKind = (want === 'what' || want === 'code') && taste !== undefined;
  return {
    words,
    want: isChoice ? 'what' : isKind && (liked ?? kind ?? head) !== undefined ? 'kind' : want,
    kind: kind ?? liked ?? (isKind ? head?.lower : undefined),
    terms: [...new Map(terms.map((term) => [conceptOf(term.word), term])).values()],
    ofUser: subject >= 0,
    toUser: subject < 0 && hasWord(words, 'me', 'us'),
    mine: words
      .filter(
        (word, at) =>
          (['my', 'our'].includes(lowers[at - 1] ?? '') && !isOwnerAt(words, at)) ||
          (subject >= 0 && lowers.includes('have') && isPersonNoun(word)),
      )
      .map(({ lower }) => lower),
    open: OPEN.test(text),
    verb: verbAfter(words, subject)?.lower,
    negated: hasWord(words, 'not', 'never'),
    past: hasWord(words, 'did', 'was', 'were'),
    isChoice,
    taste,
    unit: want === 'amount' && lowers.includes('many') ? lowers[lowers.indexOf('many') + 1] : undefined,
    ofAssistant,
  };
}

/** In `my manager's boss`, the boss is asked for and not the manager. */
function isOwnerAt(words: readonly Word[], at: number): boolean {
  const owned = words[at + 2];
  return words[at + 1]?.lower === "'s" && owned !== undefined && isPersonNoun(owned);
}

/** The question with the words of what was said before it, which its `it` stands for. */
export function withContext(asked: Asked, before: readonly Word[]): Asked {
  const { terms } = build({ want: asked.want, rest: before }, before);
  return { ...asked, terms: [...terms.filter((term) => term.essential || term.required), ...asked.terms] };
}

function verbAfter(words: readonly Word[], subject: number): Word | undefined {
  if (subject >= 0) return words.slice(subject + 1).find(({ lower }) => verbOf(lower) !== undefined);
  return words.findLast(
    ({ lower }, at) =>
      verbOf(lower) !== undefined &&
      !AUXILIARIES.has(lower) &&
      !/^(?:at|for|the|a|an|my|our|of|in|on)$/.test(lowerAt(words, at - 1)),
  );
}
