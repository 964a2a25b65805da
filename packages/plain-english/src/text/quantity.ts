import numbers from './lexicon/numbers.json';
import { setOf } from './lexicon/words';
import { lowerAt, type Token } from './token';

/** A number as a sentence gives it. */
export interface Quantity {
  readonly value: number;
  /** True for `15%` and `15 percent`; the value is 15. */
  readonly percent: boolean;
  /** The currency sign before or after it. */
  readonly currency?: string | undefined;
  /** Number of the token after it. */
  readonly next: number;
}

type NumberAt = Pick<Quantity, 'value' | 'next'>;

const CURRENCY_SIGNS = setOf('$ € £ ¥ ₹');
const PERCENT = setOf('% percent pct procent percents');
const SMALL = new Map(Object.entries(numbers.small));
const SCALES = new Map(Object.entries(numbers.scales));
/** By what a number before it is multiplied: `3 million`, `2 dozen`. */
const MULTIPLES = new Map(Object.entries(numbers.multiples));
/** `half a dozen`, `a couple of`; and what follows a number: `and three quarters`. */
const COLLECTIVES = new Map(Object.entries(numbers.collectives));
const FRACTIONS = new Map(Object.entries(numbers.fractions));
const MAX_PHRASE_WORDS = 5;

/** Removes what binary fractions leave behind: 1.1 and not 1.1000000000000001. */
export function cleanNumber(value: number): number {
  return Number(value.toPrecision(15));
}

/**
 * The number that starts at this token, in digits or words, with its currency sign and percent. A sign is not part of it.
 * @param joinAnd whether `one hundred and five` is one number
 */
export function matchQuantity(tokens: readonly Token[], start: number, joinAnd = true): Quantity | undefined {
  const before = signAt(tokens, start);
  const at = before === undefined ? start : start + 1;
  const number = matchPhrase(COLLECTIVES, tokens, at) ?? matchNumber(tokens, at, joinAnd);
  if (!number) return undefined;
  const { value, next } = number;
  if (PERCENT.has(lowerAt(tokens, next))) return { value, percent: true, next: next + 1 };
  if (lowerAt(tokens, next) === 'per' && lowerAt(tokens, next + 1) === 'cent')
    return { value, percent: true, next: next + 2 };
  const after = before === undefined ? signAt(tokens, next) : undefined;
  return { value, percent: false, currency: before ?? after, next: after === undefined ? next : next + 1 };
}

function signAt(tokens: readonly Token[], at: number): string | undefined {
  const { kind, text = '' } = tokens[at] ?? {};
  return kind === 'symbol' && CURRENCY_SIGNS.has(text) ? text : undefined;
}

/** The number of the longest phrase that starts at this token. */
function matchPhrase(
  phrases: ReadonlyMap<string, number>,
  tokens: readonly Token[],
  start: number,
): NumberAt | undefined {
  let phrase = '';
  let longest: NumberAt | undefined;
  for (let at = start; at < start + MAX_PHRASE_WORDS && tokens[at]?.kind === 'word'; at++) {
    phrase += at === start ? lowerAt(tokens, at) : ` ${lowerAt(tokens, at)}`;
    const value = phrases.get(phrase);
    if (value !== undefined) longest = { value, next: at + 1 };
  }
  return longest;
}

/** `12`, `twelve`, `two and a half million`. */
function matchNumber(tokens: readonly Token[], at: number, joinAnd: boolean): NumberAt | undefined {
  const token = tokens[at];
  const whole =
    token?.kind === 'number' && typeof token.value === 'number'
      ? { value: token.value, next: at + 1 }
      : matchNumberWords(tokens, at, joinAnd);
  if (!whole) return undefined;
  const fraction = matchPhrase(FRACTIONS, tokens, whole.next);
  // `add 3 and a half of 8` is about something else.
  const isPart = fraction !== undefined && lowerAt(tokens, fraction.next) !== 'of';
  const { value, next } = isPart ? { value: whole.value + fraction.value, next: fraction.next } : whole;
  const multiple = MULTIPLES.get(lowerAt(tokens, next));
  return multiple === undefined ? { value, next } : { value: cleanNumber(value * multiple), next: next + 1 };
}

/** One part of a number in words: `twenty-one` is two parts of one token. */
interface Part {
  readonly word: string;
  /** Number of the token after it; undefined inside a token, where no number ends. */
  readonly next: number | undefined;
}

const PART_WORDS = new Set([...SMALL.keys(), ...SCALES.keys(), 'hundred', 'and', 'point', 'a']);
/** More parts than any number in words has. */
const MAX_PARTS = 32;

function partsFrom(tokens: readonly Token[], start: number): Part[] {
  const parts: Part[] = [];
  for (let at = start; parts.length < MAX_PARTS; at++) {
    const token = tokens[at];
    const words = token?.kind === 'word' ? token.lower.split(/[-–]/) : [''];
    if (!words.every((word) => PART_WORDS.has(word))) break;
    parts.push(
      ...words.map((word, index) => ({ word, next: words[index + 1] === undefined ? at + 1 : undefined })),
    );
  }
  return parts;
}

/** A cardinal number in words that starts at this token, with decimals after `point`. */
function matchNumberWords(tokens: readonly Token[], start: number, joinAnd: boolean): NumberAt | undefined {
  const parts = partsFrom(tokens, start);
  const isScale = (at: number): boolean => SCALES.has(parts[at]?.word ?? '');
  let total = 0;
  /** What stands before the next scale word. */
  let group = 0;
  let scale = Infinity;
  let last = -1;
  let end = 0;
  for (const [at, { word }] of parts.entries()) {
    const value = SMALL.get(word) ?? (word === 'hundred' ? 100 : SCALES.get(word));
    if (word === 'a') {
      if (at > 0 || !(parts[1]?.word === 'hundred' || isScale(1))) break;
      group = 1;
    } else if (word === 'and') {
      if (!joinAnd || last < 100 || !SMALL.has(parts[at + 1]?.word ?? '')) break;
      // Two numbers rather than one if the second has its own hundreds, as in `two hundred and three hundred`.
      if (last === 100 && parts.slice(at + 1, at + 4).some((part) => part.word === 'hundred')) break;
      continue;
    } else if (value === undefined) break;
    else if (word === 'hundred') {
      if (group === 0 || group >= 100) break;
      group *= 100;
    } else if (isScale(at)) {
      if (group === 0 || value >= scale) break;
      total += group * value;
      group = 0;
      scale = value;
    } else {
      const room = group % 100;
      const fits = room === 0 || (value < 10 && room >= 20 && room % 10 === 0);
      if (at > 0 && (!fits || value === 0 || last === 0)) break;
      group += value;
    }
    last = value ?? last;
    end = at + 1;
  }
  const next = parts[end - 1]?.next;
  if (next === undefined || last < 0) return undefined;
  const decimals = parts[end]?.word === 'point' ? digitsFrom(parts.slice(end + 1)) : [];
  const digits = decimals.map(({ word }) => SMALL.get(word)).join('');
  const afterDigits = decimals.at(-1)?.next;
  return afterDigits === undefined
    ? { value: total + group, next }
    : { value: Number(`${total + group}.${digits}`), next: afterDigits };
}

function digitsFrom(parts: readonly Part[]): readonly Part[] {
  const end = parts.findIndex(({ word }) => (SMALL.get(word) ?? 10) > 9);
  return end === -1 ? parts : parts.slice(0, end);
}
