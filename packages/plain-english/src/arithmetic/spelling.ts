import { isTypoOf } from '../text/edit-distance';
import { beginsNumber } from '../text/quantity';
import type { Token } from '../text/token';
import { correctable, meaningOf } from './lexicon';
import misspellings from '../text/lexicon/misspellings.json';
import { wordsTagged } from '../text/lexicon/words';

/** Real words one letter away from a word of arithmetic. */
const NOT_A_TYPO = wordsTagged('not-a-typo');

/** Common slips of more than one letter, or in words that are others as well. */
const MISSPELLINGS: Readonly<Record<string, string>> = misspellings;
const POINTING = new Set(['it', 'that', 'this', 'them', 'result', 'answer', 'by', 'of', 'the']);

/** A word as it was meant. Near no number and no `it`, what looks like a slip is another word. */
export function correctSpelling(tokens: readonly Token[], at: number): string {
  const { kind = 'symbol', lower = '' } = tokens[at] ?? {};
  if (kind !== 'word' || lower.length < 5 || meaningOf(lower) || NOT_A_TYPO.has(lower)) return lower;
  const known = Object.hasOwn(MISSPELLINGS, lower) ? MISSPELLINGS[lower] : undefined;
  if (known !== undefined) {
    const isParticiple = lower === 'dived' && tokens[at + 1]?.lower === 'by' && beginsNumber(tokens[at - 1]);
    return isParticiple ? 'divided' : known;
  }
  const word = correctable.find((candidate) => candidate[0] === lower[0] && isTypoOf(lower, candidate));
  return word !== undefined && isNearValue(tokens, at) ? word : lower;
}

function isNearValue(tokens: readonly Token[], at: number): boolean {
  return tokens
    .slice(Math.max(0, at - 3), at + 5)
    .some((token) => beginsNumber(token) || POINTING.has(token.lower));
}
