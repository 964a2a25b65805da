import { stem, wordsOf } from '../../base/text/stem';
import { FAINT_WORDS, STOP_WORDS } from './stop-words';

export interface Term {
  /** The stem of a word; of a script without spaces, two neighbouring characters. */
  readonly text: string;
  /** How much it says of what the text is about, above 0 and up to 1. */
  readonly weight: number;
}

const STOP_WEIGHT = 0.1;
const FAINT_WEIGHT = 0.4;
const LETTER = /^\p{L}$/u;
const PLAIN = /^[\t\n\r -~]*$/;
/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The words of a text in their order, each with its weight. The same text always gives the same terms. */
export function termsOf(text: string): Term[] {
  // Most texts are plain, and looking up scripts is most of what the rest takes.
  if (PLAIN.test(text)) return wordsOf(withoutApostrophes(text)).map(termOf);
  return wordsOf(withoutApostrophes(withoutAccents(text))).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word).map((pair) => ({ text: pair, weight: 1 }));
    return termOf(word);
  });
}

function termOf(word: string): Term {
  return { text: stem(word), weight: weightOf(word) };
}

function weightOf(word: string): number {
  if (STOP_WORDS.has(word)) return STOP_WEIGHT;
  // A letter alone is mostly what is left of an abbreviation; a digit alone may be what is asked for.
  return FAINT_WORDS.has(word) || LETTER.test(word) ? FAINT_WEIGHT : 1;
}

/** `café` and `cafe`, full-width and usual letters are the same to those who search. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(\p{sc=Latin})\p{M}+/gu, '$1')
    .normalize('NFC');
}

/** `don't` and `dont` are the same, and what belongs to Anna is about her. */
function withoutApostrophes(text: string): string {
  return text.replace(/['’]s\b/giu, '').replace(/(\p{L})['’](\p{L})/gu, '$1$2');
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}
