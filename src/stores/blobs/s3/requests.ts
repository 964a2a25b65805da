import type * as Sdk from '@aws-sdk/client-s3';
import { startTimeLimit } from '../../../base/async/time-limit';
import { untilAborted } from '../../../base/async/until-aborted';
import { retryDelay } from '../../../contracts/retries';
import type { RetryDelays } from '../../../contracts/retries';
import { HoldfastError } from '../../../base/errors';
import { withRetries } from '../../../base/http/retries';
import { blobsUnavailable } from '../errors';
import { requestError } from './errors';
import type { S3Settings } from './settings';

/** What a request is made with. */
export interface Attempt {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** To be called as often as more of an answer has come: it gives the attempt its time again. */
  alive(): void;
}

export interface RequestOptions {
  /** What is sent, or comes at once, bytes; it is given time. */
  readonly bytes?: number;
  /** What may come with `alive` called on its way, bytes. */
  readonly answerBytes?: number;
  /** The server has to work on it before it can answer. */
  readonly isSlow?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const NO_ANSWER = 'S3 does not answer in time';
const MAX_ATTEMPTS = 3;
const DELAYS: RetryDelays = { firstMs: 100, factor: 3, longestMs: 1_000 };
const CONNECT_LIMIT_MS = 1_500;
/** An attempt without a sign of life, and all of them with the waits between, without what the bytes take; milliseconds. */
const QUICK = { silenceMs: 2_500, allMs: 6_000 };
const SLOW = { silenceMs: 100_000, allMs: 200_000 };
/** The slowest way to a server that is worth waiting for. */
const BYTES_PER_MS = 1_024;

/** Requests to a bucket, each tried again where that may help, and bounded in time. */
export class S3Requests {
  readonly #settings: S3Settings;
  #opened: Promise<Pick<Attempt, 'sdk' | 'client'>> | undefined;
  #isClosed = false;

  constructor(settings: S3Settings) {
    this.#settings = settings;
  }

  /**
   * Runs `attempt`, which may be repeated, until it succeeds.
   * @throws the reason of the caller's signal; HoldfastError `STORE_UNAVAILABLE`, always retryable
   */
  async run<T>(attempt: (means: Attempt) => Promise<T>, options: RequestOptions = {}): Promise<T> {
    const { bytes = 0, answerBytes = 0, isSlow = false, signal = new AbortController().signal } = options;
    const { silenceMs, allMs } = isSlow ? SLOW : QUICK;
    const limit = startTimeLimit({
      signal,
      timeoutMs: allMs + (2 * bytes + answerBytes) / BYTES_PER_MS,
      timedOut: () => blobsUnavailable(NO_ANSWER),
    });
    try {
      const opened = await this.#open();
      const once = (): Promise<T> =>
        withinSilence(limit.signal, silenceMs + bytes / BYTES_PER_MS, (life) =>
          attempt({ ...opened, ...life }),
        );
      return await withRetries(once, {
        limit,
        maxAttempts: MAX_ATTEMPTS,
        retryDelayMs: (number) => retryDelay(number, DELAYS),
        toError: (error) => requestError(error, this.#settings),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw forCallers(requestError(error, this.#settings));
    } finally {
      limit.end();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened?.catch(() => undefined);
    opened?.client.destroy();
  }

  /** Loaded where it is used: it takes a while and memory, and most services have no bucket. */
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
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      ...(credentials === undefined ? {} : { credentials }),
      maxAttempts: 1,
      // Newer than most servers that are not Amazon's. What is kept is checked by its own digest.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_LIMIT_MS },
    });
    return { sdk, client };
  }
}

/** Gives an attempt up that shows no sign of life for so long, milliseconds. */
async function withinSilence<T>(
  signal: AbortSignal,
  silenceMs: number,
  attempt: (life: Pick<Attempt, 'signal' | 'alive'>) => Promise<T>,
): Promise<T> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(blobsUnavailable(NO_ANSWER)), silenceMs);
  const end = (): void => silence.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    const work = attempt({ signal: silence.signal, alive: () => void timer.refresh() });
    return await untilAborted(work, silence.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Whatever time or an operator can mend is retryable for them, though nobody tried it again at once. */
function forCallers(error: HoldfastError): HoldfastError {
  const { code, message, details = {}, cause } = error;
  const isFinal = error.retryable || code !== 'STORE_UNAVAILABLE';
  return isFinal ? error : new HoldfastError(code, message, { details, cause, retryable: true });
}
