import { type JsonScan, scanJson } from './scan';
import { MAX_NESTING } from './bounds';

/** The error for JSON that is nested deeper than its reader allows. */
export class JsonNestingError extends SyntaxError {
  constructor(maxNesting: number) {
    super(`it is nested deeper than ${maxNesting} levels`);
  }
}

/**
 * Parses JSON text from outside. `JSON.parse` accepts any nesting, and most code after it recurses, so the nesting is checked
 * first, on the text. An integer that a double does not hold, such as 9007199254740993, becomes the text of its digits, and a
 * number beyond the range of a double, such as 1e400, the text as written; `JSON.parse` would change both.
 * @throws SyntaxError for text that is not JSON; JsonNestingError, which is one too, for text that is nested too deeply
 */
export function parseJson(text: string, maxNesting = MAX_NESTING): unknown {
  return parseScanned(text, scanWithin(text, maxNesting));
}

/**
 * Writes in quotes the numbers of JSON text that `JSON.parse` would change, for a library that parses by itself. Other text is
 * returned as it is. Pure.
 * @throws JsonNestingError
 */
export function quoteInexactNumbers(text: string, maxNesting = MAX_NESTING): string {
  return quote(text, scanWithin(text, maxNesting));
}

/** Scans text. @throws JsonNestingError */
export function scanWithin(text: string, maxNesting: number): JsonScan {
  const scan = scanJson(text, maxNesting);
  if (scan.isTooDeep) throw new JsonNestingError(maxNesting);
  return scan;
}

/** Parses text as `parseJson` does, by its scan. @throws SyntaxError */
export function parseScanned(text: string, scan: JsonScan): unknown {
  const quoted = quote(text, scan);
  if (quoted === text) return JSON.parse(text) as unknown;
  try {
    return JSON.parse(quoted) as unknown;
  } catch {
    // Quotes make no text JSON that was none before, so this throws too, with the place in the text as it came.
    return JSON.parse(text) as unknown;
  }
}

function quote(text: string, { inexact }: JsonScan): string {
  if (inexact === undefined) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of inexact) {
    parts.push(text.slice(done, start), '"', text.slice(start, end), '"');
    done = end;
  }
  return parts.join('') + text.slice(done);
}

/** Parses JSON text from outside. @returns undefined for text that is not JSON, or is nested too deeply */
export function tryToParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
