import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { findRefusal } from './refusals';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds all addresses of a host name. Rejects with the error codes of `node:dns`. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** Resolves a name as every other program on the machine does: by the hosts file, then by the name servers. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * Resolves a host name and checks all of its addresses. One refused address refuses the whole name, because an honest name does
 * not mix allowed and refused addresses.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED`, the policy's refusal; an error with a code of `node:dns`
 */
export async function resolveAllowed(
  hostname: string,
  resolve: Resolver,
  allowPrivate: boolean,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const [first, ...others] = await resolve(hostname);
  if (!first) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
  for (const { address } of [first, ...others]) {
    const refusal = findRefusal(hostname, address, allowPrivate);
    if (refusal) throw refusal;
  }
  return [first, ...others];
}

/**
 * Creates a `lookup` for sockets that returns only checked addresses. The socket connects to these addresses and does not resolve
 * the name again, so a name cannot resolve to one address for the check and to another one for the connection.
 */
export function createCheckedLookup(resolve: Resolver, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(hostname, resolve, allowPrivate).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}
