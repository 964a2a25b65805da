import { HoldfastApiError } from './errors.js';
import { delay } from './retrying-fetch.js';

export const FIRST_WAIT_MS = 1_000;
/**
 * Connections in a row that fail, after which reading a run ends. Each has been tried four times unless there are no retries, so
 * that a service behind a proxy may be away for half a minute.
 */
const MAX_FAILURES = 10;
const OF_A_PROXY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Waits before the next connection after one that failed.
 * @param failures how many have failed in a row
 * @throws the reason of the signal; the error, if the service has answered so or too many connections have failed
 */
export async function beforeNext(
  error: unknown,
  failures: number,
  { waitMs = FIRST_WAIT_MS, signal }: { readonly waitMs?: number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  signal?.throwIfAborted();
  if (isOfService(error) || failures >= MAX_FAILURES) throw error;
  await delay(waitMs, signal);
}

/** Whether the service has answered, and not a proxy that did not reach it. */
function isOfService(error: unknown): boolean {
  return error instanceof HoldfastApiError && !(error.code === undefined && OF_A_PROXY.has(error.status));
}
