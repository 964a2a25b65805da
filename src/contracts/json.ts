/** JSON text, or undefined for what JSON has no form for; TypeScript's own declaration leaves that out. */
function toJson(value: unknown): string | undefined {
  return JSON.stringify(value);
}

/** The length of a value's JSON text in UTF-16 units: a cheap lower bound of its bytes. Pure. */
export function jsonLength(value: unknown): number {
  return toJson(value)?.length ?? 0;
}

/** A value as text on one line, cut to `most` characters but never through one, for summaries and log lines. Pure. */
export function shorten(value: unknown, most: number): string {
  const text = typeof value === 'string' ? value : (toJson(value) ?? String(value));
  if (text.length <= most) return text;
  // Half of a surrogate pair is no text: some servers refuse what contains one.
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const DETAIL_LENGTH = 16_384;

/** A value small enough to travel in an error's details: itself, or a note of how long it was. Pure. */
export function fitDetail(value: unknown): unknown {
  const length = jsonLength(value);
  return length <= DETAIL_LENGTH ? value : `left out: ${length} characters of JSON`;
}
