import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { refusalOf } from './refusals';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** All addresses of a host name. Rejects with the error codes of `node:dns`. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** What every other program on the machine would get: hosts file first, then the name servers. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * All addresses of a host name or address, each of them judged. One bad address refuses the whole name: an honest name
 * does not mix them.
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
    const refusal = refusalOf(hostname, address, allowPrivate);
    if (refusal) throw refusal;
  }
  return [first, ...others];
}

/**
 * A `lookup` for sockets that hands over only addresses it has judged. The socket connects to these very
 * addresses and asks no second time, so a name cannot answer one thing to the check and another to the
 * connection.
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
