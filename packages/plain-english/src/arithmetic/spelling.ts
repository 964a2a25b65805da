import { isTypoOf } from '../text/edit-distance';
import { beginsNumber } from '../text/quantity';
import type { Token } from '../text/token';
import { correctable, meaningOf } from './lexicon';

/** Real words one letter away from a word of arithmetic. */
const NOT_A_TYPO = new Set(
  (
    'have haves time timer timed timers lower power tower shape shade spare stare score shared splits tribe trip ripple tripled ratios ' +
    'means meal lean lead minutes minute mines minds minor rates table cable stable trouble bubble prouder older under ' +
    'other order diver divine device devices limes lines miles tiles dimes timely raised praise raises arise phrase ' +
    'grown crow cubes tubes cute reduced squares squad quare starting combined combing given hares shire overs cover ' +
    'staring storing sting stating lover rover fever never lesson bless lease least leash adding ending wadding bedding mine rower mower'
  ).split(' '),
);

/** Common slips of more than one letter, or in words that are others as well. */
const MISSPELLINGS: Readonly<Record<string, string>> = {
  substracted: 'subtracted',
  subtrakt: 'subtract',
  multiplyed: 'multiplied',
  mutliplyed: 'multiplied',
  timesed: 'times',
  timsed: 'times',
  minused: 'minus',
  plussed: 'plus',
  dived: 'divide',
  deviding: 'dividing',
  devidied: 'divided',
  dividied: 'divided',
};
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
