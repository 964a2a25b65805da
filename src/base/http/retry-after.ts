/**
 * A `Retry-After` header as milliseconds from `now` (milliseconds since 1970), never negative; undefined where
 * it is absent or unreadable. RFC 9110 §10.2.3: whole seconds, or a date.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Only what looks like a date with a month's name: Date.parse makes something of almost any text.
  const date = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
