import { stem, wordsOf } from '../../base/text/stem';
import { STOP_WORDS, WEAK_WORDS } from './stop-words';

export interface Term {
  /** The stem of a word, or two neighbouring characters of a script without spaces. */
  readonly text: string;
  /** How much the term says about the topic of the text, above 0 and up to 1. */
  readonly weight: number;
}

const STOP_WEIGHT = 0.1;
const WEAK_WEIGHT = 0.4;
const LETTER = /^\p{L}$/u;
const PLAIN = /^[\t\n\r -~]*$/;
/** Characters of scripts that have no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * Extracts the words of a text in their order, each with its weight. The same text always gives the same terms, with which the
 * vectors of this embedder change.
 */
export function termsOf(text: string): Term[] {
  // Most texts are plain ASCII, for which the slow check of scripts is not needed.
  if (PLAIN.test(text)) return wordsOf(withoutApostrophes(text)).map(toTerm);
  return wordsOf(withoutApostrophes(withoutAccents(text))).flatMap((word) => {
    if (UNSPACED.test(word)) return toPairs(word).map((pair) => ({ text: pair, weight: 1 }));
    return toTerm(word);
  });
}

/**
 * Extracts the terms by which texts are compared, as the stores find them: if a word is found by parts, they are its parts.
 * @param partsOf gives the parts of a word, none for most words
 */
export function comparedTermsOf(text: string, partsOf: (word: string) => readonly string[]): Term[] {
  if (PLAIN.test(text)) return termsOf(text);
  return wordsOf(withoutApostrophes(text)).flatMap((word) => {
    const parts = partsOf(word);
    return (parts.length > 0 ? parts : wordsOf(withoutAccents(word))).map(toTerm);
  });
}

function toTerm(word: string): Term {
  return { text: stem(word), weight: weightOf(word) };
}

function weightOf(word: string): number {
  if (STOP_WORDS.has(word)) return STOP_WEIGHT;
  // A single letter is mostly the rest of an abbreviation; a single digit may be the topic of a question.
  return WEAK_WORDS.has(word) || LETTER.test(word) ? WEAK_WEIGHT : 1;
}

/** Removes accents and converts full-width letters, so that a search for `cafe` finds `café`. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(\p{sc=Latin})\p{M}+/gu, '$1')
    .normalize('NFC');
}

/** Removes apostrophes, so that `don't` and `dont` are the same, and `Anna's` is the same as `Anna`. */
function withoutApostrophes(text: string): string {
  return text.replace(/['’]s\b/giu, '').replace(/(\p{L})['’](\p{L})/gu, '$1$2');
}

function toPairs(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}
