import { jsonLength } from './json-length';

export { jsonLength };

/** JSON text, or undefined for what JSON has no form for; TypeScript's own declaration leaves that out. */
function toJson(value: unknown): string | undefined {
  return JSON.stringify(value);
}

/** A value as text on one line, cut to `most` characters but never through one, for summaries and log lines. Pure. */
export function shorten(value: unknown, most: number): string {
  const text = typeof value === 'string' ? value : (toJson(value) ?? String(value));
  if (text.length <= most) return text;
  // Half of a surrogate pair is no text: some servers refuse what contains one.
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const DETAIL_LENGTH = 16_384;
const COUNTED_LENGTH = 1_048_576;

/** A value small enough to travel in an error's details: itself, or a note of how long it was. Pure. */
export function fitDetail(value: unknown): unknown {
  const length = jsonLength(value, COUNTED_LENGTH);
  if (length <= DETAIL_LENGTH) return value;
  const counted = length > COUNTED_LENGTH ? `more than ${COUNTED_LENGTH}` : String(length);
  return `left out: ${counted} characters of JSON`;
}
