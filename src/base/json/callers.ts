import { isWellFormed } from '../text/well-formed';
import { parseScanned, scanWithin } from './parse';
import { isBeyondRange, type JsonScan } from './scan';
import { MAX_NESTING } from './bounds';

/** The error for a text or a name in JSON of a caller that is not accepted. */
export class JsonTextError extends SyntaxError {
  /** The names and indices that lead to it. */
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/** The error for a number in JSON of a caller that no double holds. */
export class JsonNumberError extends SyntaxError {}

/** What the text has in which an object may have the name `__proto__`, or a text a lone surrogate: both may be written by escapes. */
const SUSPECT = /__proto__|\\u(?:00|[dD][89a-fA-F])/;
const SHOWN_LENGTH = 64;

/**
 * Parses JSON that a caller wrote. It is read as by `parseJson`, and refused if a part cannot be kept or passed on as it is.
 * @param text without lone surrogates, so that only escapes can bring them
 * @throws SyntaxError for text that is not JSON, and for the name `__proto__`; JsonNumberError for a number beyond the range of a double that is no integer, with
 * its place; JsonNestingError; JsonTextError for a text or name with a lone surrogate
 */
export function parseCallersJson(text: string, maxNesting = MAX_NESTING): unknown {
  const scan = scanWithin(text, maxNesting);
  refuseTooLarge(text, scan);
  const value = parseScanned(text, scan);
  refuseUnfitTexts(text, value);
  return value;
}

/** Checks the texts and names of a value that was parsed from a text. @throws JsonTextError; SyntaxError for `__proto__` */
export function refuseUnfitTexts(text: string, value: unknown): void {
  if (SUSPECT.test(text)) checkTexts(value, []);
}

function refuseTooLarge(text: string, { inexact = [] }: JsonScan): void {
  const span = inexact.find(({ start, end }) => isBeyondRange(text.slice(start, end)));
  if (span === undefined) return;
  const number = text.slice(span.start, span.end);
  const shown = number.length <= SHOWN_LENGTH ? number : `${number.slice(0, SHOWN_LENGTH)}…`;
  const line = text.slice(0, span.start).split('\n').length;
  const column = span.start - text.lastIndexOf('\n', span.start);
  throw new JsonNumberError(
    `the number ${shown} at line ${line}, column ${column} is beyond the range of numbers`,
  );
}

/** Recurses at most as deeply as the value may be nested. */
function checkTexts(value: unknown, path: readonly (string | number)[]): void {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw new JsonTextError(path, 'must have no lone surrogates');
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkTexts(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      if (name === '__proto__') throw new SyntaxError('the name "__proto__" is not accepted');
      if (!isWellFormed(name)) throw new JsonTextError(path, 'must have no names with lone surrogates');
      checkTexts(item, [...path, name]);
    }
  }
}
