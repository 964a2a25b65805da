import { startTimeLimit } from '../base/async/time-limit';
import { retryDelay } from '../contracts/retries';
import { HoldfastError, isHoldfastError, codeOf, messageOf } from '../base/errors';
import { withRetries } from '../base/http/retries';

export interface WaitForStore {
  /** Ends the wait when it aborts. */
  readonly signal: AbortSignal;
  /** The maximum time of all reads together, including the waits between them, milliseconds. */
  readonly timeoutMs: number;
  /** Called after each read that failed and may succeed later. */
  readonly onFailure: (error: HoldfastError) => void;
}

/**
 * Reads from a store, and repeats the read while the store is unavailable.
 * @throws HoldfastError the error of the last read, or `STORE_UNAVAILABLE` if that did not end in time; the signal's reason
 */
export async function untilAvailable<T>(read: () => Promise<T>, wait: WaitForStore): Promise<T> {
  const { signal, timeoutMs, onFailure } = wait;
  const timedOut = (): HoldfastError =>
    new HoldfastError('STORE_UNAVAILABLE', `The store did not answer within ${timeoutMs} ms`);
  const limit = startTimeLimit({ signal, timeoutMs, timedOut });
  try {
    return await withRetries(read, {
      limit,
      maxAttempts: Infinity,
      retryDelayMs: retryDelay,
      toError: (error) => {
        if (!isHoldfastError(error)) {
          return new HoldfastError('INTERNAL', 'A read from the store failed unexpectedly', { cause: error });
        }
        if (error.retryable) onFailure(error);
        return error;
      },
    });
  } finally {
    limit.end();
  }
}

/**
 * Creates a `STORE_UNAVAILABLE` error. A caller may see its message; `where` (a file or an address) and the original error are in
 * its cause, for the log.
 */
export function storeUnavailable(message: string, where: string, error: unknown): HoldfastError {
  const detail = codeOf(error);
  const suffix = detail === '' ? '' : ` (${detail})`;
  const cause = new Error(`${where}: ${messageOf(error)}${suffix}`, { cause: error });
  return new HoldfastError('STORE_UNAVAILABLE', message, { retryable: true, cause });
}

/** Creates the error that every operation of a closed store throws. It is retryable, because another process may answer. */
export function storeClosed(): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', 'The data store is closed', { retryable: true });
}
