import { isIP } from 'node:net';
import type { Resolver } from './resolver';

/**
 * Parses the host of an address and normalises it. It uses the rules of http URLs, which read `0x7f.1` as an IP address.
 * @throws TypeError if the address has no host
 */
export function parseHost(uri: string): string {
  const { host } = new URL(uri);
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
}

/** Creates the resolver for a host. A host that is an IP address resolves to itself. */
export function createResolverFor(host: string, resolve: Resolver): Resolver {
  const family = isIP(host);
  if (family === 0) return resolve;
  return () => Promise.resolve([{ address: host, family: family === 6 ? 6 : 4 }]);
}
