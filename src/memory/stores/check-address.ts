import { describeFailure } from '../../egress/failures';
import { parseHost, createResolverFor } from '../../egress/host';
import { resolveAllowed, type Resolver } from '../../egress/resolver';
import { memoryUnavailable } from './unavailable';
import type { ResolvedStores } from './settings';

/**
 * Refuses a graph store at an address that a caller named, if the policy for outgoing connections does not allow it,
 * before anything is opened. The policy is checked again for each connection. Addresses from the environment are the
 * operator's, and are not checked.
 * @throws HoldfastError `MEMORY_UNAVAILABLE`
 */
export function createAddressCheck(resolve: Resolver): (stores: ResolvedStores) => Promise<void> {
  return async ({ memory: { neo4j } }) => {
    if (neo4j?.egress === undefined) return;
    const host = namedHost(neo4j.uri);
    try {
      await resolveAllowed(host, createResolverFor(host, resolve), neo4j.egress.allowPrivate);
    } catch (error) {
      throw memoryUnavailable('graphdb', `${describeFailure(error).description}; check graphdb.uri`, error);
    }
  };
}

function namedHost(uri: string): string {
  try {
    return parseHost(uri);
  } catch {
    throw memoryUnavailable('graphdb', 'its address names no host; check graphdb.uri');
  }
}
