import { HoldfastError } from '../base/errors';

/** How soon to try again where nothing is known of the cause, milliseconds. */
const RETRY_AFTER_MS = 1_000;

interface UnavailableOptions {
  /** Default one second. */
  readonly retryAfterMs?: number;
  /** What went wrong inside; logged, and never shown to a caller. */
  readonly cause?: unknown;
}

/** Vectors cannot be made now; trying again may help. */
export function unavailable(message: string, options: UnavailableOptions = {}): HoldfastError {
  const { retryAfterMs = RETRY_AFTER_MS, cause } = options;
  return new HoldfastError('EMBEDDER_UNAVAILABLE', message, { retryable: true, retryAfterMs, cause });
}
