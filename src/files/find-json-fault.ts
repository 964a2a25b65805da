import { createYielder } from '../base/async/large-pieces';
import { MAX_NESTING } from '../base/json/bounds';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORDS = ['true', 'false', 'null'];
/** The event loop may be yielded after this number of units. */
const STRETCH = 65_536;

/** What may come next; the first entry of a holder may be its end instead. */
type Next = 'value' | 'first value' | 'name' | 'first name' | 'end';

/**
 * Finds out whether a text is JSON, without the memory that its values would take, which may be twenty times its own, and without
 * occupying the event loop. Numbers of any size are taken.
 * @returns undefined for JSON that is not nested deeper than `maxNesting`; else what is wrong, for a person
 */
export async function findJsonFault(text: string, maxNesting = MAX_NESTING): Promise<string | undefined> {
  const pause = createYielder();
  /** For each holder that is open, whether it is an object. */
  const open: boolean[] = [];
  let next: Next = 'value';
  let pauseAt = STRETCH;
  for (let at = skipSpaces(text, 0); ; at = skipSpaces(text, at)) {
    if (at >= pauseAt) {
      await pause();
      pauseAt = at + STRETCH;
    }
    const unit = text.charCodeAt(at);
    const isObject = open.at(-1);
    if (next === 'end') {
      if (isObject === undefined) return at === text.length ? undefined : describe(at);
      if (unit === COMMA) next = isObject ? 'name' : 'value';
      else if (unit === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) open.pop();
      else return describe(at);
      at += 1;
    } else if (unit === (isObject === true ? CLOSE_BRACE : CLOSE_BRACKET) && next.startsWith('first')) {
      open.pop();
      next = 'end';
      at += 1;
    } else if (next === 'name' || next === 'first name') {
      const end = skipSpaces(text, endOfString(text, at) ?? text.length);
      if (text.charCodeAt(end) !== COLON) return describe(at);
      next = 'value';
      at = end + 1;
    } else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      if (open.length === maxNesting) return `it is nested deeper than ${maxNesting} levels`;
      open.push(unit === OPEN_BRACE);
      next = unit === OPEN_BRACE ? 'first name' : 'first value';
      at += 1;
    } else {
      const end = unit === QUOTE ? endOfString(text, at) : endOfScalar(text, at);
      if (end === undefined) return describe(at);
      next = 'end';
      at = end;
    }
  }
}

function describe(at: number): string {
  return `it goes wrong at character ${at + 1}`;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (SPACES.has(text.charCodeAt(at))) at += 1;
  return at;
}

/** @returns where the string that begins here has ended; undefined if none begins, or it is malformed */
function endOfString(text: string, start: number): number | undefined {
  if (text.charCodeAt(start) !== QUOTE) return undefined;
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit < 0x20) return undefined;
    if (unit === BACKSLASH) {
      const end = endOfMatch(ESCAPE, text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    }
  }
  return undefined;
}

/** @returns where the number or word that begins here has ended; undefined if none begins */
function endOfScalar(text: string, start: number): number | undefined {
  for (const word of WORDS) if (text.startsWith(word, start)) return start + word.length;
  return endOfMatch(NUMBER, text, start);
}

function endOfMatch(sticky: RegExp, text: string, start: number): number | undefined {
  sticky.lastIndex = start;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}
