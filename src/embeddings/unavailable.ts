import { HoldfastError } from '../base/errors';

/** The time after which a caller may try again if the cause is unknown, milliseconds. */
const RETRY_AFTER_MS = 1_000;

interface UnavailableOptions {
  /** Default one second. */
  readonly retryAfterMs?: number;
  /** The internal cause. It is logged and never shown to a caller. */
  readonly cause?: unknown;
}

/** Creates the error of an embedder that cannot make vectors now; a repeat may help. */
export function embedderUnavailable(message: string, options: UnavailableOptions = {}): HoldfastError {
  const { retryAfterMs = RETRY_AFTER_MS, cause } = options;
  return new HoldfastError('EMBEDDER_UNAVAILABLE', message, { retryable: true, retryAfterMs, cause });
}
