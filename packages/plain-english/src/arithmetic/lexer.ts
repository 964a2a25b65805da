import { groupedDigitsEnd } from '../text/digit-groups';
import { beginsNumber, matchQuantity } from '../text/quantity';
import type { Token } from '../text/token';
import { beginsPhrase, MAX_PHRASE_WORDS, meaningOf, type Meaning } from './lexicon';
import { correctSpelling } from './spelling';
import { wordsTagged } from '../text/lexicon/words';

/** A unit of the arithmetic grammar, with the tokens it was made of. */
export type Lexeme = (
  | { readonly type: 'number'; readonly value: number; readonly percent: boolean }
  | { readonly type: 'open' }
  | { readonly type: 'close' }
  | { readonly type: 'unknown' }
  | Exclude<Meaning, { type: 'filler' }>
) & {
  readonly token: Token;
  /** The last token of a phrase of several. */
  readonly last?: Token | undefined;
};

/** Brings a clause into the units of the arithmetic grammar; words that mean nothing to it become `unknown`. */
export function lexArithmetic(tokens: readonly Token[], joinAnd: boolean): Lexeme[] {
  const lexemes: Lexeme[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (!token) break;
    const step = lexOne(tokens, at, lexemes.at(-1), joinAnd);
    if (step.lexeme) lexemes.push(step.lexeme);
    at = step.next;
  }
  return lexemes;
}

interface Step {
  readonly lexeme?: Lexeme;
  readonly next: number;
}

function lexOne(tokens: readonly Token[], at: number, previous: Lexeme | undefined, joinAnd: boolean): Step {
  const token = tokens[at];
  if (!token) return { next: at + 1 };
  if (token.lower === '(' || token.lower === ')') {
    return { lexeme: { type: token.lower === '(' ? 'open' : 'close', token }, next: at + 1 };
  }
  const groups = groupedDigitsEnd(tokens, at);
  if (groups !== undefined) return { lexeme: { type: 'unknown', token }, next: groups };
  if (isNoun(tokens, at)) return { lexeme: { type: 'unknown', token }, next: at + 1 };
  const phrase = matchPhrase(tokens, at);
  const quantity = phrase && phrase.next > at + 1 ? undefined : matchQuantity(tokens, at, { joinAnd });
  if (quantity) {
    const { value, percent, next } = quantity;
    return { lexeme: { type: 'number', value, percent, token }, next };
  }
  const cross = matchCross(tokens, at, previous);
  if (cross) return cross;
  if (phrase) {
    const { meaning, next } = phrase;
    return meaning.type === 'filler'
      ? { next }
      : { lexeme: { ...meaning, token, last: tokens[next - 1] }, next };
  }
  return { lexeme: { type: 'unknown', token }, next: at + 1 };
}

/** Words after which `one` is no number: `quick one: 14 x 12`. */
const BEFORE_NOUN = wordsTagged('lexer-before-noun');

function isNoun(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === 'one' && BEFORE_NOUN.has(tokens[at - 1]?.lower ?? '');
}

/** The letter x between two numbers. */
function matchCross(tokens: readonly Token[], at: number, previous: Lexeme | undefined): Step | undefined {
  const token = tokens[at];
  if (!token || (previous?.type !== 'number' && previous?.type !== 'close')) return undefined;
  const next = tokens[at + 1];
  const isBetween =
    tokens[at - 1] === previous.token || previous.type === 'close' || beginsNumber(tokens[at - 1]);
  if (token.lower !== 'x' || !isBetween) return undefined;
  if (!beginsNumber(next) && !['(', '-', '$', '€', '£', 'minus', 'negative'].includes(next?.lower ?? ''))
    return undefined;
  return { lexeme: { type: 'infix', operation: 'multiply', token }, next: at + 1 };
}

function matchPhrase(tokens: readonly Token[], at: number): { meaning: Meaning; next: number } | undefined {
  let phrase = '';
  let best: { meaning: Meaning; next: number } | undefined;
  for (let length = 1; length <= MAX_PHRASE_WORDS; length++) {
    const token = tokens[at + length - 1];
    if (!token || (token.kind !== 'word' && token.kind !== 'symbol')) break;
    const word = correctSpelling(tokens, at + length - 1);
    phrase = length === 1 ? word : `${phrase} ${word}`;
    const meaning = meaningOf(phrase);
    if (meaning) best = { meaning, next: at + length };
    if (!beginsPhrase(phrase)) break;
  }
  return best;
}
