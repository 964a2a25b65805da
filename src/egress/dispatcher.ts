import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { findRefusal } from './refusals';
import { createCheckedLookup, type Resolver, lookUpBySystem } from './resolver';
import type { NameSource } from '../contracts/constants';
import { partOf } from '../contracts/runs/run-owner';
import { createBoundedResolver } from './bounded-resolver';
import { createServerLookup } from './server-resolver';

/** A look-up needs one socket, so a caller may have as many as it has calls in progress in one request. */
const MAX_BY_SERVERS = 64;
/** The system's look-ups take threads that all callers and the stores share, and two of four at most. */
const MAX_BY_SYSTEM = 1;
/** Two attempts at one server that does not answer take 6 s. An attempt to connect ends after 10 s. */
const LIMIT_MS = 8_000;
/** The parts of callers are those of the process, as are the threads. */
const resolvers: Readonly<Record<NameSource, Resolver>> = {
  servers: createBoundedResolver({
    find: createServerLookup(),
    maxAtOnce: MAX_BY_SERVERS,
    keyOf: (owner) => partOf(owner).caller,
    limitMs: LIMIT_MS,
  }),
  system: createBoundedResolver({
    find: lookUpBySystem,
    maxAtOnce: MAX_BY_SYSTEM,
    // A tenant may name many users.
    keyOf: ({ tenant }) => tenant,
    limitMs: LIMIT_MS,
  }),
};

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

/** The resolver for names that callers chose. Names of the operator's settings are looked up by `systemResolver`. */
export function callerResolver(source: NameSource): Resolver {
  return resolvers[source];
}
