/** 408 Request Timeout, 425 Too Early and 429 Too Many Requests are temporary, besides every 5xx. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Parses a `Retry-After` header: whole seconds or a date (RFC 9110 §10.2.3).
 * @param now epoch milliseconds
 * @returns milliseconds from `now`, never negative; undefined if the header is absent or invalid
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // The text must contain the name of a month, because Date.parse accepts almost any text.
  const date = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Whether a status says that the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status >= 500 || TEMPORARY_STATUSES.has(status);
}
