import { jsonLength } from './json-length';
import { cutText } from '../base/text/well-formed';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object in JSON's sense: neither null nor an array. Pure. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes JSON text; undefined for a value without a JSON form, which TypeScript's own declaration leaves out. */
function toJson(value: unknown): string | undefined {
  return JSON.stringify(value);
}

/**
 * Writes a value as one line of at most `max` characters, for summaries and logs. It never cuts a surrogate pair. Pure.
 */
export function shorten(value: unknown, max: number): string {
  const text = typeof value === 'string' ? value : (toJson(value) ?? String(value));
  if (text.length <= max) return text;
  return `${cutText(text, max - 1)}…`;
}

/** Longer details are left out, characters. */
export const DETAIL_LENGTH = 16_384;
/** Longer details are not counted to their end, characters. */
export const COUNTED_LENGTH = 1_048_576;
/** The note in the place of a detail that is not counted to its end. */
export const LONG_DETAIL = leftOut(`more than ${COUNTED_LENGTH}`);

/** Returns a value for the details of an error: the value itself if it is short, else a note of its length. Pure. */
export function fitDetail(value: unknown): unknown {
  const length = jsonLength(value, COUNTED_LENGTH);
  if (length <= DETAIL_LENGTH) return value;
  return length > COUNTED_LENGTH ? LONG_DETAIL : leftOut(String(length));
}

function leftOut(length: string): string {
  return `left out: ${length} characters of JSON`;
}
