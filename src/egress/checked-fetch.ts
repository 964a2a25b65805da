import { fetch, Response, type RequestInit } from 'undici';
import { tooLarge } from './body';
import { createDispatcher } from './dispatcher';
import type { EgressRequest } from './egress';
import { keepNumbers } from './json-bodies';
import { withLookUp } from './look-up';
import { systemResolver, type Resolver } from './resolver';

export interface CheckedFetchOptions {
  /** As in `EgressOptions`. */
  readonly allowPrivate: boolean;
  /** The maximum size of a response body in bytes, decompressed. */
  readonly maxBodyBytes: number;
  /** Default: the machine's own resolver, which is for addresses of the operator's settings. */
  readonly resolve?: Resolver;
}

/**
 * The egress policy for clients that bring a protocol of their own over `fetch`, and may read a response as a stream.
 * Other requests go through `Egress`.
 */
export interface CheckedFetch {
  /** Returns a `fetch` that follows no redirect. @param request its `maxBodyBytes` may lower the limit of the client */
  of(
    request: Pick<EgressRequest, 'owner' | 'allowPrivate'> & { readonly maxBodyBytes?: number },
  ): typeof globalThis.fetch;
  /** Closes all connections at once, also those in use. */
  close(): Promise<void>;
}

/**
 * Creates a `fetch` whose connections the egress policy checks, and whose response bodies have a limit. What the client reads of
 * JSON and of events are numbers that it does not change (`keepNumbers`).
 */
export function createCheckedFetch(options: CheckedFetchOptions): CheckedFetch {
  const { allowPrivate, maxBodyBytes, resolve = systemResolver } = options;
  const strict = createDispatcher(resolve, false);
  const permitted = allowPrivate ? createDispatcher(resolve, true) : strict;

  return {
    of({ owner, allowPrivate: mayReachPrivate = false, maxBodyBytes: ownMax = maxBodyBytes }) {
      const maxBytes = Math.min(maxBodyBytes, ownMax);
      const dispatcher = mayReachPrivate ? permitted : strict;
      const checked = async (url: string | URL, init?: RequestInit): Promise<Response> => {
        const lookUp = { owner, signal: init?.signal ?? undefined };
        const send = () => fetch(url, { ...init, redirect: 'manual', dispatcher });
        return keepNumbers(limitBody(await withLookUp(lookUp, send), maxBytes, tooLarge));
      };
      // The types of undici and of Node describe the same classes.
      return checked as unknown as typeof globalThis.fetch;
    },
    async close() {
      await Promise.all([strict.destroy(), permitted === strict ? undefined : permitted.destroy()]);
    },
  };
}

/**
 * Returns the response with a body that fails at the first byte above the limit, decompressed, since a stream has no length.
 * @param toError creates the error of such a body
 */
export function limitBody(
  response: Response,
  maxBytes: number,
  toError: (maxBytes: number) => Error,
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  let length = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length > maxBytes) controller.error(toError(maxBytes));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { status, statusText, headers });
}
