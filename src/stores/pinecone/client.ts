import type { Pinecone } from '@pinecone-database/pinecone';
import { Agent, fetch, type RequestInit, Response } from 'undici';
import { startTimeLimit, type TimeLimit } from '../../base/async/time-limit';
import { retryDelay } from '../../contracts/retries';
import type { HoldfastError } from '../../base/errors';
import { withRetries } from '../../base/http/retries';
import { answerError, connectionError, unwrap, vectorStoreUnavailable } from './errors';

type ClientFetch = NonNullable<NonNullable<ConstructorParameters<typeof Pinecone>[0]>['fetchApi']>;

export interface ClientSettings {
  readonly apiKey: string;
  /** Of the control plane; absent: Pinecone's own. */
  readonly controllerHostUrl: string | undefined;
  /** Of a call with all its attempts, milliseconds. */
  readonly timeoutMs: number;
  /** The wait after the given attempt, counted from 1, where Pinecone names none; milliseconds. */
  readonly retryDelayMs?: (attempt: number) => number;
}

export interface PineconeClient {
  /**
   * Runs `work` with a client whose requests are tried again after cut connections, 429 and 5xx, all within one
   * time limit. Whatever is asked for must bear a repeat.
   * @throws the reason of the caller's signal; else a HoldfastError, which `toIndexError` completes
   */
  call<T>(work: (pinecone: Pinecone, limit: TimeLimit) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Ends what is under way; every other call throws from now on. May be called twice. */
  close(): Promise<void>;
}

const MAX_ATTEMPTS = 5;
const ANSWER_HEADERS = ['content-type'];

export function createPineconeClient(settings: ClientSettings): PineconeClient {
  const { apiKey, controllerHostUrl, timeoutMs } = settings;
  // Its own limits are no less than five minutes: that of the call is what ends a request.
  const dispatcher = new Agent();
  let closed = false;

  const failed = (error: unknown): HoldfastError =>
    closed ? vectorStoreUnavailable('it is closed', { retryable: false }) : connectionError(error);

  return {
    async call(work, signal = new AbortController().signal) {
      const limit = startTimeLimit({
        signal,
        timeoutMs,
        timedOut: () => vectorStoreUnavailable(`Pinecone did not answer within ${timeoutMs} ms`),
      });
      try {
        limit.signal.throwIfAborted();
        if (closed) throw failed(undefined);
        // Loaded where it is used: it takes a while, and most services have no index.
        const client = await import('@pinecone-database/pinecone');
        // A client for each call, because its requests know no signal but that of its `fetch`.
        const pinecone = new client.Pinecone({
          apiKey,
          ...(controllerHostUrl === undefined ? {} : { controllerHostUrl }),
          // It would try 5xx alone again, wait without heeding Retry-After, and hide the status.
          maxRetries: 0,
          fetchApi: createFetch(settings, { dispatcher, limit, failed }),
        });
        return await work(pinecone, limit);
      } catch (thrown) {
        limit.signal.throwIfAborted();
        throw unwrap(thrown);
      } finally {
        limit.end();
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await dispatcher.destroy();
    },
  };
}

interface Requests {
  readonly dispatcher: Agent;
  readonly limit: TimeLimit;
  /** What a failed attempt means. */
  readonly failed: (error: unknown) => HoldfastError;
}

function createFetch(settings: ClientSettings, { dispatcher, limit, failed }: Requests): ClientFetch {
  const { apiKey, retryDelayMs = retryDelay } = settings;
  const attempt = async (url: string, init: RequestInit | undefined): Promise<Response> => {
    const response = await fetch(url, { ...init, dispatcher, signal: limit.signal });
    // Read here, so that a body that breaks off counts as a failed attempt.
    const text = await response.text();
    if (!response.ok) throw answerError(response.status, response.headers.get('retry-after'), text, apiKey);
    const headers = ANSWER_HEADERS.map(
      (name) => [name, response.headers.get(name) ?? ''] as [string, string],
    );
    return new Response(text === '' ? null : text, { status: response.status, headers });
  };
  const send = (url: string, init?: RequestInit): Promise<Response> =>
    withRetries(() => attempt(url, init), {
      limit,
      maxAttempts: MAX_ATTEMPTS,
      retryDelayMs,
      toError: failed,
    });
  // The same interface, declared once by Node's types and once by undici's.
  return send as unknown as ClientFetch;
}
