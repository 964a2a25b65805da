import { MAX_NESTING } from './nesting';
import { isBeyondRange, scanJson } from './scan';

/** The error for JSON that is nested deeper than its reader allows. */
export class JsonNestingError extends SyntaxError {
  constructor(maxNesting: number) {
    super(`it is nested deeper than ${maxNesting} levels`);
  }
}

const SHOWN_LENGTH = 64;

/**
 * Parses JSON text from outside. `JSON.parse` accepts any nesting, and most code after it recurses, so the nesting is checked
 * first, on the text. An integer that a double does not hold, such as 9007199254740993, becomes the text of its digits, and a
 * number beyond the range of a double, such as 1e400, the text as written; `JSON.parse` would change both.
 * @throws SyntaxError for text that is not JSON; JsonNestingError, which is one too, for text that is nested too deeply
 */
export function parseJson(text: string, maxNesting = MAX_NESTING): unknown {
  const quoted = quoteInexactNumbers(text, maxNesting);
  if (quoted === text) return JSON.parse(text) as unknown;
  try {
    return JSON.parse(quoted) as unknown;
  } catch {
    // Quotes make no text JSON that was none before, so this throws too, with the place in the text as it came.
    return JSON.parse(text) as unknown;
  }
}

/**
 * Writes in quotes the numbers of JSON text that `JSON.parse` would change, for a library that parses by itself. Other text is
 * returned as it is. Pure.
 * @throws JsonNestingError
 */
export function quoteInexactNumbers(text: string, maxNesting = MAX_NESTING): string {
  const { isTooDeep, inexact } = scanJson(text, maxNesting);
  if (isTooDeep) throw new JsonNestingError(maxNesting);
  if (inexact === undefined) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of inexact) {
    parts.push(text.slice(done, start), '"', text.slice(start, end), '"');
    done = end;
  }
  return parts.join('') + text.slice(done);
}

/**
 * Finds the first number of JSON text that is beyond the range of a double, and no integer.
 * @returns a description with its place, as in `the number 1e400 at line 1, column 6 is too large`; undefined for none. Pure.
 */
export function findTooLarge(text: string): string | undefined {
  const { inexact = [] } = scanJson(text, Infinity);
  const found = inexact.find(({ start, end }) => isBeyondRange(text.slice(start, end)));
  if (found === undefined) return undefined;
  const number = text.slice(found.start, found.end);
  const shown = number.length <= SHOWN_LENGTH ? number : `${number.slice(0, SHOWN_LENGTH)}…`;
  const before = text.slice(0, found.start);
  const line = before.split('\n').length;
  const column = found.start - before.lastIndexOf('\n');
  return `the number ${shown} at line ${line}, column ${column} is beyond the range of numbers`;
}

/** Parses JSON text from outside. @returns undefined for text that is not JSON, or is nested too deeply */
export function tryToParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
