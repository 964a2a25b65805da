import { POLITENESS } from '../text/stop-words';
import { lowerAt, textOf, type TokenText } from '../text/token';
import { wordsTagged } from '../text/lexicon/words';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs that ask for what no calculation gives. */
const VERBS = wordsTagged('other-request-verbs');
/** What comes before a verb that asks for something. */
const LEADS = wordsTagged('other-request-leads');
const MARKS = list('. ? ! ; : ,');
/** What a calculation is handed on as; a story's own things are no such words. */
const HANDED = list('it that this them me us result answer');
/** After these, `share` and `set` and the like are calculations or sums. */
const WITH_NUMBER = list('share store set file turn order record');

/** The words that ask for something else than a calculation: `write a haiku about 5 plus 3`, `… and send it to Bob`. */
export function findOtherRequest(text: TokenText): string | undefined {
  const { tokens } = text;
  let start: 'first' | 'later' | undefined = 'first';
  for (const [at, token] of tokens.entries()) {
    const { lower, kind } = token;
    if (start && kind === 'word' && VERBS.has(lower) && isRequest(text, at, start === 'first'))
      return textOf(text, at, endOf(text, at)).slice(0, 80);
    if (MARKS.has(lower) || lower === 'and' || lower === 'then') start = at > 0 ? 'later' : start;
    else if (!POLITENESS.has(lower) && !LEADS.has(lower)) start = undefined;
  }
  return undefined;
}

function isRequest({ tokens }: TokenText, at: number, isFirst: boolean): boolean {
  const next = tokens[at + 1];
  const isAmount =
    next?.kind === 'number' || next?.lower === '$' || next?.lower === '€' || next?.lower === '£';
  // `I buy a lamp for 12.50`, but `I want to buy`.
  if (/^(?:i|we)$/.test(lowerAt(tokens, at - 1))) return false;
  if (isFirst && isFraction(tokens.slice(at))) return false;
  if (isFirst)
    return (
      !(WITH_NUMBER.has(lowerAt(tokens, at)) && (isAmount || next?.lower === 'out')) ||
      isConverted(tokens.slice(at))
    );
  const article = /^(?:the|an?|final)$/.test(next?.lower ?? '') ? 2 : 1;
  if (tokens[at]?.lower === 'share') {
    return HANDED.has(lowerAt(tokens, at + article)) && tokens[at + article + 1]?.lower === 'with';
  }
  // `we sell a mug for 9.90 and buy it for 4.20`
  const isPriced = tokens[at + article + 1]?.lower === 'for' && tokens[at + article + 2]?.kind === 'number';
  return (HANDED.has(lowerAt(tokens, at + article)) && !isPriced) || tokens[at + 1]?.kind === 'email';
}

/** `express 3 out of 8 as a fraction`, `write 3/8 as a decimal`. */
function isFraction(tokens: readonly { readonly lower: string; readonly kind: string }[]): boolean {
  const last = tokens.findLast(({ kind }) => kind === 'word')?.lower ?? '';
  return /^(?:fractions?|decimals?|percent|percentage)$/.test(last) && tokens[1]?.kind === 'number';
}

function isConverted(tokens: readonly { readonly lower: string }[]): boolean {
  return tokens[0]?.lower === 'turn' && tokens.some(({ lower }) => lower === 'into');
}

function endOf({ tokens }: TokenText, at: number): number {
  const end = tokens.findIndex(({ lower }, index) => index > at && /^[.?!;]$/.test(lower));
  return end === -1 ? tokens.length : end;
}
