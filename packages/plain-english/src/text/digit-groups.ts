import { meaningOf } from '../arithmetic/lexicon';
import type { Token } from './token';
import { wordsTagged } from './lexicon/words';

/** What joins groups of digits in telephone numbers, dates, versions, seasons and ranges as well as in calculations. */
const JOINTS = new Set(['-', '–', '/', ':', '.']);
/** Words before a calculation written without spaces, as in `what is 1000-1`. */
const BEFORE = wordsTagged('before');
const AFTER = wordsTagged('after');

/**
 * The token after groups of digits that are a name rather than a calculation: `555-0199`, `24/7`, `1.2.3`, `2024-25`.
 * Without spaces around the sign, only a text that asks for a calculation right there makes it one.
 */
export function groupedDigitsEnd(tokens: readonly Token[], at: number): number | undefined {
  if (tokens[at]?.kind !== 'number' || touches(tokens, at - 1)) return undefined;
  let end = at + 1;
  let groups = 1;
  let hasPoint = false;
  while (touches(tokens, end - 1)) {
    const next = tokens[end];
    if (next?.kind === 'number') {
      hasPoint = true;
      end++;
      groups++;
    } else if (JOINTS.has(next?.text ?? '') && tokens[end + 1]?.kind === 'number' && touches(tokens, end)) {
      end += 2;
      groups++;
    } else break;
  }
  if (groups < 2) return undefined;
  const isNamed = hasPoint || tokens.slice(at, end).some(({ text }) => /^0\d/.test(text));
  return isNamed || !asksForCalculation(tokens, at, end) ? end : undefined;
}

function asksForCalculation(tokens: readonly Token[], from: number, to: number): boolean {
  return fitsBefore(tokens[from - 1], tokens[from - 2]) && fitsAfter(tokens[to], touches(tokens, to - 1));
}

function fitsBefore(token: Token | undefined, previous: Token | undefined): boolean {
  if (token === undefined || token.lower === "'s") return true;
  if (token.kind === 'symbol') return token.text !== '#';
  // `my number is 555-0199` tells, `what is 1000-1` asks.
  if (token.lower === 'is' || token.lower === 'are')
    return ['what', 'much', "'s"].includes(previous?.lower ?? '');
  return BEFORE.has(token.lower);
}

function fitsAfter(token: Token | undefined, isAttached: boolean): boolean {
  if (token === undefined || token.kind === 'symbol') return true;
  const type = meaningOf(token.lower)?.type;
  return !isAttached && (AFTER.has(token.lower) || type === 'infix' || type === 'verb');
}

/** True where the next token begins right where this one ends. */
function touches(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return (
    token !== undefined &&
    next !== undefined &&
    token.end === next.start &&
    token.kind !== 'word' &&
    token.text !== '('
  );
}
