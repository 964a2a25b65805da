import { MAX_NESTING, nestsDeeperThan } from './nesting';

/** The error for JSON that is nested deeper than its reader allows. */
export class JsonNestingError extends SyntaxError {
  constructor(maxNesting: number) {
    super(`it is nested deeper than ${maxNesting} levels`);
  }
}

/**
 * Parses JSON text from outside. `JSON.parse` accepts any nesting, and most code after it recurses, so the nesting is checked
 * first, on the text.
 * @throws SyntaxError for text that is not JSON; JsonNestingError, which is one too, for text that is nested too deeply
 */
export function parseJson(text: string, maxNesting = MAX_NESTING): unknown {
  if (nestsDeeperThan(text, maxNesting)) throw new JsonNestingError(maxNesting);
  return JSON.parse(text) as unknown;
}

/** Parses JSON text from outside. @returns undefined for text that is not JSON, or is nested too deeply */
export function tryToParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
