import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { findRefusal } from './refusals';
import { createCheckedLookup, type Resolver } from './resolver';

/** An attempt to connect that takes longer counts as failed. The limit of the caller is often shorter. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Creates an agent that cannot open a connection which the policy refuses. It checks the address when it creates a socket, so no
 * request, redirect or new connection of a pool can avoid the check. It has no time limit after the connection is made: callers
 * have theirs, which may be longer than the five minutes of the client.
 */
export function createDispatcher(resolve: Resolver, allowPrivate: boolean): Agent {
  const connect = buildConnector({
    lookup: createCheckedLookup(resolve, allowPrivate),
    timeout: CONNECT_TIMEOUT_MS,
  });
  return new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      // Sockets do not call the lookup for a host that is an IP address.
      const refusal = isIP(options.hostname)
        ? findRefusal(options.hostname, options.hostname, allowPrivate)
        : undefined;
      if (refusal) queueMicrotask(() => callback(refusal, null));
      else connect(options, callback);
    },
  });
}
