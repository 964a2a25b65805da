import { matchNumberWords, type NumberWordsOptions } from './number-words';
import type { Token } from './token';

/** A number as a sentence gives it. */
export interface Quantity {
  readonly value: number;
  /** True for `15%` and `15 percent`; the value is 15. */
  readonly percent: boolean;
  /** The currency sign before or after it. */
  readonly currency?: string;
  /** Number of the token after it. */
  readonly next: number;
}

const CURRENCY_SIGNS = new Set(['$', '€', '£', '¥', '₹']);
const PERCENT = new Set(['%', 'percent', 'pct', 'procent', 'percents']);
const MULTIPLES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  dozen: 12,
  dozens: 12,
};
const COLLECTIVES: Readonly<Record<string, number>> = { dozen: 12, couple: 2, pair: 2 };
const FRACTIONS: Readonly<Record<string, number>> = { half: 0.5, quarter: 0.25 };

/** Removes what binary fractions leave behind: 1.1 and not 1.1000000000000001. */
export function cleanNumber(value: number): number {
  return Number(value.toPrecision(15));
}

/** The number that starts at this token, in digits or words, with its currency sign and percent. A sign is not part of it. */
export function matchQuantity(
  tokens: readonly Token[],
  start: number,
  options: NumberWordsOptions = {},
): Quantity | undefined {
  const sign = tokens[start];
  const currency = sign?.kind === 'symbol' && CURRENCY_SIGNS.has(sign.text) ? sign.text : undefined;
  const at = currency === undefined ? start : start + 1;
  const base = matchCollective(tokens, at) ?? matchBase(tokens, at, options);
  if (!base) return undefined;
  return withSuffix(tokens, base, currency);
}

interface Base {
  readonly value: number;
  readonly next: number;
}

function matchBase(tokens: readonly Token[], at: number, options: NumberWordsOptions): Base | undefined {
  const token = tokens[at];
  const base =
    token?.kind === 'number' && typeof token.value === 'number'
      ? { value: token.value, next: at + 1 }
      : matchNumberWords(tokens, at, options);
  return base && withMultiple(tokens, withFraction(tokens, base));
}

/** `two and a half`, `3 and a quarter`, `one and three quarters`. */
function withFraction(tokens: readonly Token[], base: Base): Base {
  const [and, article, part] = [0, 1, 2].map((offset) => tokens[base.next + offset]?.lower ?? '');
  const isThree = article === 'three' && part === 'quarters';
  const fraction =
    and !== 'and' ? undefined : isThree ? 0.75 : article === 'a' ? FRACTIONS[part ?? ''] : undefined;
  // `add 3 and a half of 8` is about something else.
  if (fraction === undefined || tokens[base.next + 3]?.lower === 'of') return base;
  return { value: base.value + fraction, next: base.next + 3 };
}

function withMultiple(tokens: readonly Token[], base: Base): Base {
  const multiple = MULTIPLES[tokens[base.next]?.lower ?? ''];
  return multiple === undefined ? base : { value: cleanNumber(base.value * multiple), next: base.next + 1 };
}

/** `a dozen`, `half a dozen`, `a couple of`. */
function matchCollective(tokens: readonly Token[], at: number): Base | undefined {
  const words = [0, 1, 2, 3].map((offset) => tokens[at + offset]?.lower ?? '');
  const [first = '', second = '', third = '', fourth = ''] = words;
  if (first === 'half' && second === 'a' && (third === 'dozen' || third in MULTIPLES)) {
    return { value: (MULTIPLES[third] ?? 12) / 2, next: at + 3 };
  }
  if ((first === 'a' || first === 'one') && Object.hasOwn(COLLECTIVES, second)) {
    const value = COLLECTIVES[second] ?? 0;
    if (second === 'dozen' && third === 'and' && fourth === 'a') {
      const half = tokens[at + 4]?.lower === 'half' ? 6 : 0;
      if (half > 0) return { value: value + half, next: at + 5 };
    }
    return { value, next: third === 'of' && second !== 'dozen' ? at + 3 : at + 2 };
  }
  return first === 'dozen' ? { value: 12, next: at + 1 } : undefined;
}

function withSuffix(tokens: readonly Token[], { value, next }: Base, before: string | undefined): Quantity {
  const after = tokens[next];
  if (after !== undefined && PERCENT.has(after.lower)) return { value, percent: true, next: next + 1 };
  if (after?.lower === 'per' && tokens[next + 1]?.lower === 'cent')
    return { value, percent: true, next: next + 2 };
  const sign = after?.kind === 'symbol' && CURRENCY_SIGNS.has(after.text) ? after.text : undefined;
  const currency = before ?? sign;
  return {
    value,
    percent: false,
    currency,
    next: before === undefined && sign !== undefined ? next + 1 : next,
  };
}
