import { isIP } from 'node:net';
import type { Resolver } from './resolver';

/**
 * The one form of the host of an address: by way of http, whose parser reads `0x7f.1` as the IP address that it is.
 * @throws TypeError where it names none
 */
export function hostOf(uri: string): string {
  const { host } = new URL(uri);
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
}

/** A host that is an address already is its own answer. */
export function lookUpOf(host: string, resolve: Resolver): Resolver {
  const family = isIP(host);
  if (family === 0) return resolve;
  return () => Promise.resolve([{ address: host, family: family === 6 ? 6 : 4 }]);
}
