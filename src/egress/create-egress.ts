import type { Agent, Dispatcher } from 'undici';
import { toolError } from '../base/errors';
import { allowsAddress } from '../contracts/allowed-targets';
import { untilAborted } from '../base/async/until-aborted';
import { readBody, tooLarge } from './body';
import { createDispatcher } from './dispatcher';
import type { Egress, EgressRequest, EgressResponse } from './egress';
import { abortError, requestFailure } from './failures';
import { incomingHeaders, outgoingHeaders, type HeaderMap } from './headers';
import { isSameHost, nextHop, parseHttpUrl, type Hop } from './hops';
import { systemResolver, type Resolver } from './resolver';

export interface EgressOptions {
  /**
   * Whether requests that carry the permission may reach private, loopback, unique-local and carrier-grade NAT addresses.
   * False: no request may.
   */
  readonly allowPrivate: boolean;
  /** Largest response body, on the wire and unpacked, bytes. */
  readonly maxBodyBytes: number;
  /** Redirects followed before giving up. Default 5. */
  readonly maxRedirects?: number;
  /** Default `holdfast`. */
  readonly userAgent?: string;
  /** Default: the machine's own resolver. */
  readonly resolve?: Resolver;
}

const DEFAULT_MAX_REDIRECTS = 5;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The egress policy as a client: every address of every hop is judged where its connection is made. */
export function createEgress(options: EgressOptions): Egress {
  const { allowPrivate, maxBodyBytes, userAgent = 'holdfast' } = options;
  const maxRedirects = options.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
  const resolve = options.resolve ?? systemResolver;
  // One pool of connections for each, so that no request is sent over a connection that it may not open itself.
  const strict = createDispatcher(resolve, false);
  const permitted = allowPrivate ? createDispatcher(resolve, true) : strict;

  const follow = async (
    first: Hop,
    request: Pick<EgressRequest, 'withinHost' | 'redirectHosts' | 'allowPrivate' | 'signal'>,
  ): Promise<EgressResponse> => {
    const { withinHost = false, redirectHosts = [], signal } = request;
    const agent = request.allowPrivate === true ? permitted : strict;
    let hop = first;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await send(agent, hop, signal);
      try {
        const headers = incomingHeaders(answer.headers);
        const next = nextHop(hop, answer.statusCode, headers.get('location'));
        if (!next) return await collect(hop, answer, headers, maxBodyBytes);
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
        discard(answer.body);
      }
    }
  };

  return {
    async request(request) {
      const first = firstHop(request, userAgent);
      const { signal } = request;
      try {
        signal.throwIfAborted();
        return await follow(first, request);
      } catch (error) {
        throw signal.aborted ? abortError(signal) : error;
      }
    },
    async close() {
      await Promise.all([strict.destroy(), permitted === strict ? undefined : permitted.destroy()]);
    },
  };
}

function firstHop(request: EgressRequest, userAgent: string): Hop {
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

async function send(agent: Agent, hop: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
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
    throw requestFailure(hop.url, error);
  }
}

async function collect(
  hop: Hop,
  answer: Dispatcher.ResponseData,
  headers: HeaderMap,
  maxBytes: number,
): Promise<EgressResponse> {
  if (hop.method !== 'HEAD' && Number(headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBody(answer.body, headers, maxBytes);
  return {
    status: answer.statusCode,
    headers,
    url: hop.url.href,
    bytes,
    text: () => decodeText(bytes, headers.get('content-type') ?? ''),
  };
}

/** Ends a body that nobody reads to its end, and its connection with it; nothing happens to a finished one. */
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
