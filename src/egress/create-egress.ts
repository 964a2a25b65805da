import type { Agent, Dispatcher } from 'undici';
import { toolError } from '../base/errors';
import { allowsAddress } from '../contracts/allowed-targets';
import { LARGE_PIECE_BYTES, nextLargePiece } from '../base/async/large-pieces';
import { readBody, tooLarge } from './body';
import { createDispatcher } from './dispatcher';
import type { Egress, EgressRequest, EgressResponse } from './egress';
import { abortError, requestFailure, withHead } from './failures';
import { incomingHeaders, outgoingHeaders, type HeaderMap } from './headers';
import { isSameHost, nextHop, parseHttpUrl, type Hop } from './hops';
import { withLookUp } from './look-up';
import { systemResolver, type Resolver } from './resolver';
import { untilAborted } from '../base/async/time-limit';

export interface EgressOptions {
  /**
   * Whether requests that carry the permission may reach private, loopback, unique-local and carrier-grade NAT addresses.
   * With false, no request may.
   */
  readonly allowPrivate: boolean;
  /** The maximum size of a response body in bytes, both as received and decompressed. */
  readonly maxBodyBytes: number;
  /** The maximum number of redirects that a request follows. Default 5. */
  readonly maxRedirects?: number;
  /** Default `holdfast`. */
  readonly userAgent?: string;
  /** Default: the machine's own resolver, which is for addresses of the operator's settings. */
  readonly resolve?: Resolver;
}

const DEFAULT_MAX_REDIRECTS = 5;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Creates a client that applies the egress policy: it checks the address of every connection, also after redirects. */
export function createEgress(options: EgressOptions): Egress {
  const { allowPrivate, maxBodyBytes, userAgent = 'holdfast' } = options;
  const maxRedirects = options.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
  const resolve = options.resolve ?? systemResolver;
  // Each permission has a separate pool, so that no request uses a connection that it may not open itself.
  const strict = createDispatcher(resolve, false);
  const permitted = allowPrivate ? createDispatcher(resolve, true) : strict;

  const sendAndFollow = async (
    first: Hop,
    request: Pick<
      EgressRequest,
      'owner' | 'withinHost' | 'redirectHosts' | 'allowPrivate' | 'admit' | 'signal'
    >,
  ): Promise<EgressResponse> => {
    const { owner, withinHost = false, redirectHosts = [], signal } = request;
    const agent = request.allowPrivate === true ? permitted : strict;
    let hop = first;
    for (let redirects = 0; ; redirects += 1) {
      const response = await withLookUp({ owner, signal }, () => send(agent, hop, signal, redirects === 0));
      try {
        const headers = incomingHeaders(response.headers);
        const next = nextHop(hop, response.statusCode, headers.get('location'));
        if (!next) {
          const read = await readResponse(hop, response, headers, maxBodyBytes, request.admit).catch(
            (error: unknown) => {
              throw withHead(requestFailure(hop.url, error), { status: response.statusCode, headers });
            },
          );
          if (read.bytes.length >= LARGE_PIECE_BYTES) await nextLargePiece();
          return read;
        }
        if (redirects >= maxRedirects) {
          throw toolError(
            `Request refused: more than ${maxRedirects} redirects, the last to ${next.url.host}`,
          );
        }
        const isWithin =
          isSameHost(first.url, next.url) || allowsAddress({ hosts: redirectHosts }, next.url.href);
        if (withinHost && !isWithin) {
          throw toolError(
            `Request refused: it was redirected to another host, ${next.url.host}, which would have to be asked for by name`,
          );
        }
        hop = next;
      } catch (error) {
        throw requestFailure(hop.url, error);
      } finally {
        discard(response.body);
      }
    }
  };

  return {
    async request(request) {
      const first = buildFirstHop(request, userAgent);
      const { signal } = request;
      try {
        signal.throwIfAborted();
        return await sendAndFollow(first, request);
      } catch (error) {
        throw signal.aborted ? abortError(signal) : error;
      }
    },
    async close() {
      await Promise.all([strict.destroy(), permitted === strict ? undefined : permitted.destroy()]);
    },
  };
}

function buildFirstHop(request: EgressRequest, userAgent: string): Hop {
  const method = request.method.toUpperCase();
  if (!METHODS.has(method)) {
    throw toolError(`Request refused: the method must be one of ${[...METHODS].join(', ')}`);
  }
  return {
    url: parseHttpUrl(request.url),
    method,
    headers: outgoingHeaders(request.headers ?? {}, userAgent),
    body: request.body,
  };
}

async function send(
  agent: Agent,
  hop: Hop,
  signal: AbortSignal,
  isFirst: boolean,
): Promise<Dispatcher.ResponseData> {
  const pending = agent.request({
    origin: hop.url.origin,
    path: `${hop.url.pathname}${hop.url.search}`,
    method: hop.method,
    headers: [...hop.headers].flat(),
    body: hop.body ?? null,
    signal,
  });
  try {
    return await untilAborted(pending, signal);
  } catch (error) {
    throw requestFailure(hop.url, error, isFirst);
  }
}

async function readResponse(
  hop: Hop,
  response: Dispatcher.ResponseData,
  headers: HeaderMap,
  maxBytes: number,
  admit: EgressRequest['admit'],
): Promise<EgressResponse> {
  if (hop.method !== 'HEAD' && Number(headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBody(response.body, headers, maxBytes, admit);
  return {
    status: response.statusCode,
    headers,
    url: hop.url.href,
    bytes,
    text: () => decodeText(bytes, headers.get('content-type') ?? ''),
  };
}

/** Closes the connection of a body that was not read completely. It has no effect on a completed body. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined);
  body.destroy();
}

function decodeText(bytes: Buffer, contentType: string): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
