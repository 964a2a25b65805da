import { isBeyondRange, isKeptNumber } from '../base/json/scan';

/** A longer text counts as no number, so that each comparison takes a bounded time. */
const MAX_LENGTH = 1_000;

/** A number as it is written, which is 0.`digits` × 10^`point`. */
interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** The digits from the first one that is not 0 on; there may be zeros at the end. */
  readonly digits: string;
  readonly point: number;
}

/** Whether a number literal is an integer that a double does not hold, which stays the text of its digits. Pure. */
export function isKeptInteger(literal: string): boolean {
  return isKept(literal) && !isBeyondRange(literal);
}

/**
 * Compares two values as numbers if `parseJson` keeps one of them as a text and the other one is a number or such a text, too.
 * A double is compared as JSON writes it, because `parseJson` keeps every integer that JSON would write in another way: the number
 * 1152921504606847000 does not equal the text `1152921504606846976`, though both are the same double. Pure.
 * @returns -1 if `left` is less, 0 if both are equal, 1 if `left` is greater; undefined if the values do not compare so
 */
export function compareKept(left: unknown, right: unknown): number | undefined {
  if (!isKept(left) && !isKept(right)) return undefined;
  const one = toDecimal(left);
  const other = toDecimal(right);
  return one === undefined || other === undefined ? undefined : compareDecimals(one, other);
}

function isKept(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && isKeptNumber(value);
}

/** @returns undefined for a value that is neither a number nor the text of one */
function toDecimal(value: unknown): Decimal | undefined {
  if (!isKept(value) && !(typeof value === 'number' && Number.isFinite(value))) return undefined;
  const [mantissa = '', exponent = '0'] = String(value).toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const zeros = whole.length + fraction.length - digits.length;
  const sign = digits === '' ? 0 : mantissa.startsWith('-') ? -1 : 1;
  return { sign, digits, point: whole.length - zeros + Number(exponent) };
}

function compareDecimals(left: Decimal, right: Decimal): number {
  if (left.sign !== right.sign) return left.sign < right.sign ? -1 : 1;
  if (left.point !== right.point) return left.point < right.point ? -left.sign : left.sign;
  const length = Math.max(left.digits.length, right.digits.length);
  const [one, other] = [left.digits.padEnd(length, '0'), right.digits.padEnd(length, '0')];
  return one === other ? 0 : one < other ? -left.sign : left.sign;
}
