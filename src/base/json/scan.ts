const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A part of a text, in UTF-16 units from 0. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** What a scan finds in JSON text. */
export interface JsonScan {
  readonly isTooDeep: boolean;
  /** The numbers that `JSON.parse` would change, in their order; undefined for none. */
  readonly inexact: readonly Part[] | undefined;
}

/** Every integer of fewer digits is held exactly by a double. */
const MAX_SAFE_LENGTH = 15;
/** Every number without an exponent that is not longer is within the range of a double. */
const MAX_FRACTION_LENGTH = 308;
const INTEGER = /^-?[1-9]\d*$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Looks in JSON text for what `JSON.parse` accepts and the code after it does not bear: objects and arrays nested deeper than
 * `maxNesting`, integers that would be written otherwise once they are doubles, such as 9007199254740993, and numbers beyond the
 * range of a double, such as 1e400. It uses no recursion, so the stack cannot overflow. Of text that is not JSON it may find
 * parts that are no numbers either. It ends where the nesting is too deep. Pure.
 * @param numbers false if the nesting alone counts, which takes less time
 */
export function scanJson(text: string, maxNesting: number, { numbers = true } = {}): JsonScan {
  let inexact: Part[] | undefined;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index);
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      depth += 1;
      if (depth > maxNesting) return { isTooDeep: true, inexact };
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth -= 1;
    else if (numbers && (unit === MINUS || isDigit(unit))) {
      const end = endOfNumber(text, index);
      if (mayBeInexact(text, index, end) && isInexact(text.slice(index, end)) && !isName(text, end))
        (inexact ??= []).push({ start: index, end });
      index = end - 1;
    }
  }
  return { isTooDeep: false, inexact };
}

/** Describes what a reader got that expects a number, and not the text that stands for one. */
export const KEPT_NUMBER = 'a text, because a number of this size cannot be held exactly';

/** Whether a number is beyond the range of a double and no integer, whose digits could be kept. Pure. */
export function isBeyondRange(number: string): boolean {
  return !INTEGER.test(number) && !Number.isFinite(Number(number));
}

/** Whether a value is the text of a number that was kept as it was written. Pure. */
export function isKeptNumber(value: unknown): value is string {
  return typeof value === 'string' && isInexact(value);
}

/** Whether a text is a number that `JSON.parse` would change, so that it stays a text. Pure. */
export function isInexact(text: string): boolean {
  if (INTEGER.test(text)) return String(Number(text)) !== text;
  return NUMBER.test(text) && isBeyondRange(text);
}

/** Tells by the length and a look at the characters, so that almost no number is copied and parsed. */
function mayBeInexact(text: string, start: number, end: number): boolean {
  let isFraction = false;
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    if ((unit | 0x20) === 0x65) return true;
    isFraction ||= unit === 0x2e;
  }
  return end - start > (isFraction ? MAX_FRACTION_LENGTH : MAX_SAFE_LENGTH);
}

/** Whether a name of a property ends here, which cannot be a number: in quotes the text would become JSON. */
function isName(text: string, end: number): boolean {
  let next = end;
  while (text.charCodeAt(next) <= 0x20) next += 1;
  return text.charCodeAt(next) === COLON;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

/** Whether a unit is a digit or one of `.+-eE`. */
function isOfNumber(unit: number): boolean {
  return isDigit(unit) || unit === 0x2e || unit === 0x2b || unit === MINUS || (unit | 0x20) === 0x65;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** The index of the quote that ends the string beginning at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
