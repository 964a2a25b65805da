import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { refusalOf } from './refusals';
import { createCheckedLookup, type Resolver } from './resolver';

/** A connection that is not up by then is a failed attempt; the caller's own limit is often shorter. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * An agent that cannot open a connection the policy refuses. The check sits where sockets are made, and not
 * in front of it, so no request, redirect or new connection of a pool gets past it.
 */
export function createDispatcher(resolve: Resolver, allowPrivate: boolean): Agent {
  const connect = buildConnector({
    lookup: createCheckedLookup(resolve, allowPrivate),
    timeout: CONNECT_TIMEOUT_MS,
  });
  return new Agent({
    connect: (options, callback) => {
      // Sockets skip the lookup for a host that is an address already.
      const refusal = isIP(options.hostname)
        ? refusalOf(options.hostname, options.hostname, allowPrivate)
        : undefined;
      if (refusal) queueMicrotask(() => callback(refusal, null));
      else connect(options, callback);
    },
  });
}
