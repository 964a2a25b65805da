import type { Pinecone } from '@pinecone-database/pinecone';
import { Agent, fetch, type RequestInit, Response } from 'undici';
import { startTimeLimit, type TimeLimit } from '../../base/async/time-limit';
import { retryDelay } from '../../contracts/retries';
import type { HoldfastError } from '../../base/errors';
import { withRetries } from '../../base/http/retries';
import { limitBody } from '../../egress/checked-fetch';
import { responseError, connectionError, unwrap, vectorStoreUnavailable } from './errors';
import { MAX_NESTING, nestsDeeperThan } from '../../base/json/bounds';

type ClientFetch = NonNullable<NonNullable<ConstructorParameters<typeof Pinecone>[0]>['fetchApi']>;

export interface ClientSettings {
  readonly apiKey: string;
  /** The address of the control plane. Default: Pinecone's own. */
  readonly controllerHostUrl: string | undefined;
  /** The time limit of a call with all its attempts, milliseconds. */
  readonly timeoutMs: number;
  /** The wait after an attempt (counted from 1) in milliseconds, if Pinecone's response names none. */
  readonly retryDelayMs?: (attempt: number) => number;
}

export interface PineconeClient {
  /**
   * Runs `work` with a client that repeats requests after broken connections, 429 and 5xx, within one time limit. All requests
   * must be safe to repeat.
   * @throws the reason of the caller's signal; otherwise a HoldfastError, which `toIndexError` completes
   */
  call<T>(work: (pinecone: Pinecone, limit: TimeLimit) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Ends requests in progress; every later call throws. May be called twice. */
  close(): Promise<void>;
}

const MAX_ATTEMPTS = 5;
/** Far more than the vectors of one batch, so that an endless response does not fill the memory of the process. */
const MAX_RESPONSE_BYTES = 67_108_864;
const tooLarge = (bytes: number): HoldfastError =>
  vectorStoreUnavailable(`its response has more than ${bytes} bytes`, { retryable: false });
const RESPONSE_HEADERS = ['content-type'];

export function createPineconeClient(settings: ClientSettings): PineconeClient {
  const { apiKey, controllerHostUrl, timeoutMs } = settings;
  // The limits of the agent are five minutes and more, so the limit of the call is the one that ends a request.
  const dispatcher = new Agent();
  let closed = false;

  const toError = (error: unknown): HoldfastError =>
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
        if (closed) throw toError(undefined);
        // The SDK is loaded at its first use, because that takes a while and most services have no index.
        const client = await import('@pinecone-database/pinecone');
        // Each call has a separate client, because only the client's `fetch` can pass a signal to its requests.
        const pinecone = new client.Pinecone({
          apiKey,
          controllerHostUrl,
          // The client's own retries repeat only 5xx, ignore Retry-After, and hide the status.
          maxRetries: 0,
          fetchApi: createFetch(settings, { dispatcher, limit, toError }),
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

interface FetchPorts {
  readonly dispatcher: Agent;
  readonly limit: TimeLimit;
  /** Converts the failure of an attempt to the error that the caller gets. */
  readonly toError: (error: unknown) => HoldfastError;
}

function createFetch(settings: ClientSettings, { dispatcher, limit, toError }: FetchPorts): ClientFetch {
  const { apiKey, retryDelayMs = retryDelay } = settings;
  const attempt = async (url: string, init: RequestInit | undefined): Promise<Response> => {
    const answered = await fetch(url, { ...init, dispatcher, signal: limit.signal });
    const response = limitBody(answered, MAX_RESPONSE_BYTES, tooLarge);
    // The body is read here, so that an attempt whose body breaks off counts as failed.
    const text = await response.text();
    if (nestsDeeperThan(text, MAX_NESTING)) {
      throw vectorStoreUnavailable(`its response is nested deeper than ${MAX_NESTING} levels`, {
        retryable: false,
      });
    }
    if (!response.ok) throw responseError(response.status, response.headers.get('retry-after'), text, apiKey);
    const headers = RESPONSE_HEADERS.map(
      (name) => [name, response.headers.get(name) ?? ''] as [string, string],
    );
    return new Response(text === '' ? null : text, { status: response.status, headers });
  };
  const send = (url: string, init?: RequestInit): Promise<Response> =>
    withRetries(() => attempt(url, init), {
      limit,
      maxAttempts: MAX_ATTEMPTS,
      retryDelayMs,
      toError,
    });
  // Both types describe the same interface: one is declared by Node's types and one by undici's.
  return send as unknown as ClientFetch;
}
