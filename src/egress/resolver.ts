import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { currentLookUp, type LookUp, SHARED } from './look-up';
import { findRefusal } from './refusals';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds all addresses of a host name. Rejects with the error codes of `node:dns`, or with the reason of the look-up's signal. */
export type Resolver = (hostname: string, lookUp: LookUp) => Promise<readonly ResolvedAddress[]>;

/** Resolves a name as every other program on the machine does. It takes a thread that all share, and cannot be ended. */
export async function lookUpBySystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  const addresses = await lookup(hostname, { all: true, order: 'verbatim' });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** The resolver for names of the operator's settings. */
export const systemResolver: Resolver = (hostname) => lookUpBySystem(hostname);

/**
 * Resolves a host name and checks all of its addresses. One refused address refuses the whole name, because an honest name does
 * not mix allowed and refused addresses.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED`, the policy's refusal; an error with a code of `node:dns`
 */
export async function resolveAllowed(
  hostname: string,
  resolve: Resolver,
  allowPrivate: boolean,
  lookUp = SHARED,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const [first, ...others] = await resolve(hostname, lookUp);
  if (!first) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
  for (const { address } of [first, ...others]) {
    const refusal = findRefusal(hostname, address, allowPrivate);
    if (refusal) throw refusal;
  }
  return [first, ...others];
}

/**
 * Creates a `lookup` for sockets that returns only checked addresses. The socket connects to these addresses and does not resolve
 * the name again, so a name cannot resolve to one address for the check and to another one for the connection. The name is looked
 * up for the caller that `withLookUp` names.
 */
export function createCheckedLookup(resolve: Resolver, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(hostname, resolve, allowPrivate, currentLookUp()).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}
