import numbers from './lexicon/numbers.json';
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

const SMALL: Readonly<Record<string, number>> = numbers.small;
const SCALES: Readonly<Record<string, number>> = numbers.scales;

/** One part of a number in words: tokens are cut at hyphens, so that `twenty-one` is two parts of one token. */
interface Part {
  readonly word: string;
  /** Number of the token. */
  readonly token: number;
  readonly last: boolean;
}

export interface NumberWords {
  readonly value: number;
  /** Number of the token after it. */
  readonly next: number;
}

export interface NumberWordsOptions {
  /** Whether `one hundred and five` is one number. Default true. */
  readonly joinAnd?: boolean;
}

/** A cardinal number in words that starts at this token, with decimals after `point`. */
export function matchNumberWords(
  tokens: readonly Token[],
  start: number,
  { joinAnd = true }: NumberWordsOptions = {},
): NumberWords | undefined {
  const parts = collect(tokens, start);
  const reader = new CardinalReader(parts, joinAnd);
  return reader.read();
}

/** More parts than any number in words has. */
const MAX_PARTS = 32;

function collect(tokens: readonly Token[], start: number): Part[] {
  const parts: Part[] = [];
  for (let index = start; index < tokens.length && parts.length < MAX_PARTS; index++) {
    const token = tokens[index];
    if (token?.kind !== 'word') break;
    const words = token.lower.split(/[-–]/);
    if (!words.every((word) => isNumberPart(word))) break;
    words.forEach((word, at) => parts.push({ word, token: index, last: at === words.length - 1 }));
  }
  return parts;
}

function isNumberPart(word: string): boolean {
  return (
    Object.hasOwn(SMALL, word) ||
    Object.hasOwn(SCALES, word) ||
    ['hundred', 'and', 'point', 'a'].includes(word)
  );
}

class CardinalReader {
  private at = 0;
  private total = 0;
  /** What stands before the next scale word. */
  private group = 0;
  private scale = Infinity;
  /** Value of the last part taken, undefined at the start and after `and`. */
  private last: number | undefined;

  constructor(
    private readonly parts: readonly Part[],
    private readonly joinAnd: boolean,
  ) {}

  read(): NumberWords | undefined {
    let end = 0;
    while (this.at < this.parts.length && this.take()) {
      this.at++;
      if (this.parts[this.at - 1]?.word !== 'and') end = this.at;
    }
    const last = this.parts[end - 1];
    // Half of a hyphenated word is no number.
    if (!last?.last || (end === 1 && last.word === 'a')) return undefined;
    const whole = this.total + this.group;
    const decimals = this.readDecimals(end);
    if (!decimals) return { value: whole, next: last.token + 1 };
    return { value: Number(`${whole}.${decimals.digits}`), next: decimals.next };
  }

  private take(): boolean {
    const word = this.parts[this.at]?.word ?? '';
    if (Object.hasOwn(SMALL, word)) return this.takeSmall(SMALL[word] ?? 0);
    if (word === 'hundred') return this.takeHundred();
    if (Object.hasOwn(SCALES, word)) return this.takeScale(SCALES[word] ?? 1);
    if (word === 'a') return this.takeArticle();
    if (word === 'and') return this.takeAnd();
    return false;
  }

  private takeSmall(value: number): boolean {
    const room = this.group % 100;
    const fits = value < 10 ? room === 0 || (room >= 20 && room % 10 === 0 && value > 0) : room === 0;
    if (!fits || this.last === 0 || (value < 10 && room === 0 && this.isUnit(this.last))) return false;
    if (value === 0 && this.at > 0) return false;
    this.group += value;
    this.last = value;
    return true;
  }

  private isUnit(value: number | undefined): boolean {
    return value !== undefined && value < 20;
  }

  private takeHundred(): boolean {
    if (this.group === 0 || this.group >= 100) return false;
    this.group *= 100;
    this.last = 100;
    return true;
  }

  private takeScale(scale: number): boolean {
    if (this.group === 0 || scale >= this.scale) return false;
    this.total += this.group * scale;
    this.group = 0;
    this.scale = scale;
    this.last = scale;
    return true;
  }

  /** `a hundred`, `a thousand`. */
  private takeArticle(): boolean {
    const next = this.parts[this.at + 1]?.word ?? '';
    if (this.at > 0 || (next !== 'hundred' && !Object.hasOwn(SCALES, next))) return false;
    this.group = 1;
    return true;
  }

  private takeAnd(): boolean {
    const next = this.parts[this.at + 1]?.word ?? '';
    const joins = this.joinAnd && (this.last ?? 0) >= 100 && Object.hasOwn(SMALL, next) && next !== 'zero';
    if (!joins) return false;
    // Two numbers rather than one where the second has its own hundreds, as in `two hundred and three hundred`.
    const after = this.parts.slice(this.at + 1, this.at + 4).findIndex(({ word }) => word === 'hundred');
    return after === -1 || this.last !== 100;
  }

  private readDecimals(end: number): { digits: string; next: number } | undefined {
    if (this.parts[end]?.word !== 'point') return undefined;
    let digits = '';
    let at = end + 1;
    for (; at < this.parts.length; at++) {
      const value = SMALL[this.parts[at]?.word ?? ''];
      if (value === undefined || value > 9) break;
      digits += String(value);
    }
    const last = this.parts[at - 1];
    return digits !== '' && last ? { digits, next: last.token + 1 } : undefined;
  }
}
