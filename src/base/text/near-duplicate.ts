import { stem, wordsOf } from './stem';

const NUMBER_WORD =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-[a-z]+)?|hundred|thousand|dozen)$/;

/** Texts may say the same if the Jaccard index of their stems is at least this, 0 to 1. */
const NEAR_DUPLICATE = 0.8;

const TOKENS = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*|[\p{Sc}%.!?\n]/gu;
/** Matches negations. Without an apostrophe only those that are not another word: `dont`, but not `want`. */
const NEGATION =
  /^(?:not|no|never|none|nobody|nothing|nowhere|nor|neither|without|cannot|hardly|barely|\p{L}+n['’]t|(?:do|does|did|is|are|was|were|has|have|had|would|should|could)nt)$/u;
const SENTENCE_END = new Set(['.', '!', '?', '\n']);
/** Words that are often capitalised although they are not names. */
const NO_NAMES = new Set(['i', 'the', 'a', 'an', 'and', 'but', 'so', 'also', 'well', 'yes', 'ok', 'okay']);

/** A text in the form in which it is compared with others. */
export interface ComparedText {
  readonly stems: ReadonlySet<string>;
  /** The words that distinguish facts in otherwise equal texts, in order: numbers, units of money, negations, names. */
  readonly marks: string;
  /** Capitalised words at any position, in lower case. */
  readonly capitalised: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/** Prepares a text for comparisons. Pure. */
export function toComparedText(text: string): ComparedText {
  const marks: string[] = [];
  const capitalised = new Set<string>();
  let isFirst = true;
  for (const [token] of text.matchAll(TOKENS)) {
    if (SENTENCE_END.has(token)) {
      isFirst = true;
      continue;
    }
    const lower = token.toLowerCase();
    const isName = /^\p{Lu}/u.test(token) && !NO_NAMES.has(lower.split(/['’]/)[0] ?? '');
    if (isName) capitalised.add(lower);
    if (isFact(lower)) marks.push(NEGATION.test(lower) ? 'not' : lower);
    else if (isName && !isFirst) marks.push(lower);
    isFirst = false;
  }
  const words = [...text.toLowerCase().matchAll(TOKENS)].map(([token]) => token);
  return {
    stems: new Set(wordsOf(text).map(stem)),
    marks: marks.join(' '),
    capitalised,
    words: new Set(words),
  };
}

/**
 * True for texts that say nearly the same: they share most words, and their numbers, negations and names are equal.
 * Texts that only look alike, such as a budget of 200 and one of 300, are two facts. Pure.
 */
export function isNearDuplicate(one: ComparedText, other: ComparedText): boolean {
  return (
    one.marks === other.marks &&
    sharing(one.stems, other.stems) >= NEAR_DUPLICATE &&
    hasAll(other.words, one.capitalised) &&
    hasAll(one.words, other.capitalised)
  );
}

function isFact(lower: string): boolean {
  return /[\p{N}\p{Sc}%]/u.test(lower) || isNumberWord(lower) || NEGATION.test(lower);
}

function hasAll(words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].every((word) => words.has(word));
}

function sharing(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1;
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  return both / (one.size + other.size - both);
}

/** True for a number written as a word. */
function isNumberWord(lower: string): boolean {
  return NUMBER_WORD.test(lower);
}
