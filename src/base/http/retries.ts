import { setTimeout as delay } from 'node:timers/promises';
import { type TimeLimit, untilAborted } from '../async/time-limit';
import { HoldfastError } from '../errors';

export interface RetryRules {
  readonly limit: TimeLimit;
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  /** Returns the wait after an attempt, counted from 1, if the error has no `retryAfterMs`; milliseconds. */
  readonly retryDelayMs: (attempt: number) => number;
  /** Converts the error of a failed attempt; its `retryable` and `retryAfterMs` decide about the next attempt. */
  readonly toError: (error: unknown) => HoldfastError;
}

/**
 * Runs `attempt` until it succeeds, fails with a final error, or has no attempt or no time left. A wait that is longer
 * than the time left is not begun.
 * @throws the reason of the limit's signal as soon as it aborts; else the last attempt's HoldfastError
 */
export async function withRetries<T>(attempt: () => Promise<T>, rules: RetryRules): Promise<T> {
  const { limit, maxAttempts, retryDelayMs, toError } = rules;
  for (let number = 1; ; number += 1) {
    limit.signal.throwIfAborted();
    try {
      return await untilAborted(attempt(), limit.signal);
    } catch (thrown) {
      limit.signal.throwIfAborted();
      const error = toError(thrown);
      const waitMs = error.retryAfterMs ?? retryDelayMs(number);
      if (!error.retryable || number >= maxAttempts || waitMs >= limit.timeLeftMs()) {
        throw afterAttempts(error, number);
      }
      await pause(waitMs, limit.signal);
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

function afterAttempts(error: HoldfastError, attempts: number): HoldfastError {
  if (attempts === 1 || !error.retryable) return error;
  const { code, message, details, retryable, retryAfterMs, cause } = error;
  return new HoldfastError(code, `${message} (after ${attempts} attempts)`, {
    retryable,
    details,
    retryAfterMs,
    cause,
  });
}
