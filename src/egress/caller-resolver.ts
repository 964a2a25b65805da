import { partOf } from '../contracts/runs/run-owner';
import { createBoundedResolver } from './bounded-resolver';
import { createServerLookup } from './server-resolver';
import { lookUpBySystem, type Resolver } from './resolver';

/** How names that callers chose are looked up: by the hosts file and the name servers, or by all that the system knows. */
export const NAME_SOURCES = ['servers', 'system'] as const;
export type NameSource = (typeof NAME_SOURCES)[number];

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

/** The resolver for names that callers chose. Names of the operator's settings are looked up by `systemResolver`. */
export function callerResolver(source: NameSource): Resolver {
  return resolvers[source];
}
