import { isIP } from 'node:net';
import { failureOf } from '../../egress/failures';
import { resolveAllowed, type Resolver } from '../../egress/resolver';
import { memoryUnavailable } from './unavailable';
import type { ResolvedStores } from './settings';

/**
 * Refuses a graph store at an address that a caller named where the policy for outgoing connections does not allow it: as
 * a name is looked up anew by the driver, this is asked each time the stores are opened. Addresses of the environment are
 * the operator's own.
 * @throws HoldfastError `MEMORY_UNAVAILABLE`
 */
export function createAddressCheck(resolve: Resolver): (stores: ResolvedStores) => Promise<void> {
  return async ({ memory: { neo4j } }) => {
    if (neo4j?.egress === undefined) return;
    const host = hostOf(neo4j.uri);
    const lookUp: Resolver = isIP(host)
      ? () => Promise.resolve([{ address: host, family: isIP(host) === 6 ? 6 : 4 }])
      : resolve;
    try {
      await resolveAllowed(host, lookUp, neo4j.egress.allowPrivate);
    } catch (error) {
      throw memoryUnavailable('graphdb', `${failureOf(error).words}; check graphdb.uri`, error);
    }
  };
}

/** The one form of a host: by way of http, whose parser reads `0x7f.1` as the address that it is. */
function hostOf(uri: string): string {
  try {
    const { host } = new URL(uri);
    return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    throw memoryUnavailable('graphdb', 'its address names no host; check graphdb.uri');
  }
}
