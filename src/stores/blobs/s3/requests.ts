import type * as Sdk from '@aws-sdk/client-s3';
import { startTimeLimit, untilAborted } from '../../../base/async/time-limit';
import { retryDelay, type RetryDelays } from '../../../contracts/retries';
import { HoldfastError } from '../../../base/errors';
import { withRetries } from '../../../base/http/retries';
import { requestError } from './errors';
import type { S3Settings } from './settings';
import { blobsUnavailable } from '../keys';

/** The means of one attempt of a request. */
export interface Attempt {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** Restarts the idle limit of the attempt. The attempt calls it whenever it has received more of the response. */
  keepAlive(): void;
}

export interface RequestOptions {
  /** The number of bytes that are sent, or received in one piece; they extend the time limit. */
  readonly bytes?: number;
  /** The maximum size of a response that is received in pieces, with calls of `keepAlive`, bytes. */
  readonly answerBytes?: number;
  /** Whether the server needs long before it can respond. */
  readonly isSlow?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const NO_ANSWER = 'S3 does not answer in time';
const MAX_ATTEMPTS = 3;
const DELAYS: RetryDelays = { firstMs: 100, factor: 3, longestMs: 1_000 };
const CONNECT_LIMIT_MS = 1_500;
/** Limits of an idle attempt, and of all attempts with the waits between them, without the time for the bytes; milliseconds. */
const QUICK = { idleMs: 2_500, totalMs: 6_000 };
const SLOW = { idleMs: 100_000, totalMs: 200_000 };
/** The minimum speed of a connection for which the time limits allow. */
const BYTES_PER_MS = 1_024;

/** Requests to a bucket. Each has a time limit, and is repeated if that may help. */
export class S3Requests {
  readonly #settings: S3Settings;
  #opened: Promise<Pick<Attempt, 'sdk' | 'client'>> | undefined;
  #isClosed = false;

  constructor(settings: S3Settings) {
    this.#settings = settings;
  }

  /**
   * Runs `attempt` until it succeeds; it must be safe to repeat.
   * @throws the reason of the caller's signal; otherwise HoldfastError `STORE_UNAVAILABLE`, always retryable
   */
  async run<T>(attempt: (means: Attempt) => Promise<T>, options: RequestOptions = {}): Promise<T> {
    const { bytes = 0, answerBytes = 0, isSlow = false, signal = new AbortController().signal } = options;
    const { idleMs, totalMs } = isSlow ? SLOW : QUICK;
    const limit = startTimeLimit({
      signal,
      timeoutMs: totalMs + (2 * bytes + answerBytes) / BYTES_PER_MS,
      timedOut: () => blobsUnavailable(NO_ANSWER),
    });
    try {
      const opened = await this.#open();
      const once = (): Promise<T> =>
        withIdleLimit(limit.signal, idleMs + bytes / BYTES_PER_MS, (means) =>
          attempt({ ...opened, ...means }),
        );
      return await withRetries(once, {
        limit,
        maxAttempts: MAX_ATTEMPTS,
        retryDelayMs: (number) => retryDelay(number, DELAYS),
        toError: (error) => requestError(error, this.#settings),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw toCallerError(requestError(error, this.#settings));
    } finally {
      limit.end();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened?.catch(() => undefined);
    opened?.client.destroy();
  }

  /** Loads the SDK at its first use, because that takes time and memory and most services have no bucket. */
  async #open(): Promise<Pick<Attempt, 'sdk' | 'client'>> {
    if (this.#isClosed) throw blobsUnavailable('it is closed');
    this.#opened ??= this.#load();
    return this.#opened;
  }

  async #load(): Promise<Pick<Attempt, 'sdk' | 'client'>> {
    const sdk = await import('@aws-sdk/client-s3');
    const { endpoint, region, credentials, forcePathStyle } = this.#settings;
    const client = new sdk.S3Client({
      forcePathStyle,
      endpoint,
      region,
      credentials,
      maxAttempts: 1,
      // Most servers other than Amazon's do not know these checksums. The service checks stored values by their own digest.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_LIMIT_MS },
    });
    return { sdk, client };
  }
}

/** Runs an attempt and aborts it if it makes no progress for `idleMs` milliseconds. */
async function withIdleLimit<T>(
  signal: AbortSignal,
  idleMs: number,
  attempt: (means: Pick<Attempt, 'signal' | 'keepAlive'>) => Promise<T>,
): Promise<T> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(blobsUnavailable(NO_ANSWER)), idleMs);
  const end = (): void => idle.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    const work = attempt({ signal: idle.signal, keepAlive: () => void timer.refresh() });
    return await untilAborted(work, idle.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/**
 * Converts an error to the one that callers get. It is retryable for everything that passes with time or that an operator can
 * fix, although no immediate repeat helped.
 */
function toCallerError(error: HoldfastError): HoldfastError {
  const { code, message, details = {}, cause } = error;
  const isFinal = error.retryable || code !== 'STORE_UNAVAILABLE';
  return isFinal ? error : new HoldfastError(code, message, { details, cause, retryable: true });
}
