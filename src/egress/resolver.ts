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
 * A `lookup` for sockets that hands over only addresses it has judged. The socket connects to these very
 * addresses and asks no second time, so a name cannot answer one thing to the check and another to the
 * connection. One bad address refuses the whole name: an honest name does not mix them.
 */
export function createCheckedLookup(resolve: Resolver, allowPrivate: boolean): LookupFunction {
  const resolveChecked = async (hostname: string): Promise<[ResolvedAddress, ...ResolvedAddress[]]> => {
    const [first, ...others] = await resolve(hostname);
    if (!first) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
    for (const { address } of [first, ...others]) {
      const refusal = refusalOf(hostname, address, allowPrivate);
      if (refusal) throw refusal;
    }
    return [first, ...others];
  };
  return (hostname, options, callback) => {
    resolveChecked(hostname).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}
