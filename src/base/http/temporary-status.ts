/** 408 Request Timeout, 425 Too Early and 429 Too Many Requests are temporary, besides every 5xx. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether a status says that the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status >= 500 || TEMPORARY_STATUSES.has(status);
}
