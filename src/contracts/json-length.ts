import { lazyLength } from './large-json';

// The globals are read once, because in the SDK's workflow context each use of a global name takes about a microsecond.
const { isFinite, isInteger } = Number;
const { isArray } = Array;
const { keys } = Object;
const { abs } = Math;

/** Control characters that JSON writes with a backslash and one letter. */
const SHORT_ESCAPES = '\b\f\n\r\t';
const FIRST_PLAIN = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNICODE_ESCAPE_LENGTH = 6;

/** Ends the walk of a value that is longer than `max`. */
class LengthExceeded extends Error {}

/**
 * Counts the length of a value's JSON text in UTF-16 units, without building the text. The result is exactly the length
 * of the text that `JSON.stringify` returns, and 0 if that returns undefined. Pure.
 * @param max the walk ends as soon as the length exceeds this; the result is then `max + 1`
 */
export function jsonLength(value: unknown, max = Infinity): number {
  try {
    return new Counter(max).count(value);
  } catch (error) {
    if (error instanceof LengthExceeded) return max + 1;
    throw error;
  }
}

class Counter {
  readonly #max: number;
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  count(value: unknown): number {
    if (isWritten(value)) this.#addValue(value);
    return this.#length;
  }

  #add(length: number): void {
    this.#length += length;
    if (this.#length > this.#max) throw new LengthExceeded();
  }

  #addValue(value: unknown): void {
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'number') this.#add(numberLength(value));
    else if (isArray(value)) this.#addItems(value);
    else if (typeof value === 'object' && value !== null) this.#addProperties(value);
    // A value without a JSON form is left out of objects, and is `null` in a list.
    else this.#add(isWritten(value) ? JSON.stringify(value).length : 'null'.length);
  }

  #addItems(items: readonly unknown[]): void {
    const known = lazyLength(items);
    if (known !== undefined) return this.#add(known);
    this.#add('[]'.length + Math.max(0, items.length - 1));
    for (const item of items) this.#addValue(item);
  }

  #addProperties(object: object): void {
    const known = lazyLength(object);
    if (known !== undefined) return this.#add(known);
    this.#add('{}'.length);
    let first = true;
    for (const name of keys(object)) {
      const value = (object as Record<string, unknown>)[name];
      if (!isWritten(value)) continue;
      this.#addText(name);
      this.#add((first ? 0 : ','.length) + ':'.length);
      this.#addValue(value);
      first = false;
    }
  }

  #addText(text: string): void {
    // The text is counted first, because its JSON form is never shorter.
    this.#add(text.length + '""'.length);
    let more = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE || code === BACKSLASH) more += 1;
      else if (code < FIRST_PLAIN || isHalfPair(text, at, code)) more += escapeLength(code) - 1;
    }
    this.#add(more);
  }
}

const MAX_DIGITS = 15;

/** Counts the characters of a number. NaN and infinity are written as `null`. */
function numberLength(value: number): number {
  if (!isFinite(value)) return 'null'.length;
  const size = abs(value);
  if (!isInteger(value) || size >= 10 ** MAX_DIGITS) return String(value).length;
  let digits = 1;
  for (let bound = 10; size >= bound; bound *= 10) digits += 1;
  return digits + (value < 0 ? '-'.length : 0);
}

function escapeLength(code: number): number {
  return SHORT_ESCAPES.includes(String.fromCharCode(code)) ? 2 : UNICODE_ESCAPE_LENGTH;
}

/** Whether a unit is a lone surrogate, which JSON writes as `\uXXXX` because it has no form in UTF-8. */
function isHalfPair(text: string, at: number, code: number): boolean {
  if (code < 0xd800 || code > 0xdfff) return false;
  if (code < 0xdc00) return !isBetween(text.charCodeAt(at + 1), 0xdc00, 0xdfff);
  return at === 0 || !isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff);
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}

/** Whether a value has a JSON form. Other values are left out of objects. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
