import neo4j, { type Config, type Driver } from 'neo4j-driver';
import { parseHost, createResolverFor } from '../../egress/host';
import { resolveAllowed } from '../../egress/resolver';
import { HoldfastError, isHoldfastError } from '../../base/errors';
import type { Neo4jSettings } from './settings';
import { callerResolver } from '../../egress/dispatcher';
import { storeUnavailable } from '../until-available';

export type CheckedDriverSettings = Pick<Neo4jSettings, 'uri' | 'username' | 'password'> & {
  readonly egress: NonNullable<Neo4jSettings['egress']>;
};

/** The driver's type for an address: it has the name that TLS checks and the IP address that sockets connect to. */
interface ServerAddress {
  resolveWith(address: string): ServerAddress;
  resolvedHost(): string;
}

type Connect = (address: ServerAddress) => Promise<unknown>;

/** The internals of the driver that this file uses. */
interface Internals {
  _createConnectionProvider?: (...args: unknown[]) => { _createChannelConnection?: Connect };
}

/**
 * Opens a driver for an address that a caller named. The driver connects by Bolt to the host of this address only and never
 * follows a routing table. The egress policy checks the IP address of each connection when the connection is made, so a name
 * cannot resolve to one address for the check and to another one for the socket. TLS checks the name as usual.
 *
 * The driver has no `lookup` option, and it uses its `resolver` option with routing only. So this function wraps the internal
 * method by which the driver makes its connections. Throws `INTERNAL` for a release of the driver that has no such method.
 */
export function openCheckedDriver(
  { uri, username, password, egress }: CheckedDriverSettings,
  options: Config,
): Driver {
  const host = parseHost(uri);
  const lookUp = createResolverFor(host, callerResolver(egress.names));
  const resolveChecked = async (): Promise<readonly { readonly address: string }[]> => {
    try {
      return await resolveAllowed(host, lookUp, egress.allowPrivate);
    } catch (error) {
      const message = isHoldfastError(error) ? error.message : 'The data store cannot be reached';
      throw storeUnavailable(message, uri, error);
    }
  };
  const driver = neo4j.driver(directUri(uri), neo4j.auth.basic(username, password), options);
  const internals = driver as unknown as Internals;
  const createProvider = internals._createConnectionProvider;
  if (typeof createProvider !== 'function') throw unknownDriver();
  internals._createConnectionProvider = (...args) => {
    const provider = createProvider(...args);
    const connect = provider._createChannelConnection;
    if (typeof connect !== 'function') throw unknownDriver();
    provider._createChannelConnection = async (address) =>
      connectToFirst(await resolveChecked(), address, connect);
    return provider;
  };
  return driver;
}

/** Connects to the first address that accepts the connection: a name may have an IPv6 address on which no server listens. */
async function connectToFirst(
  addresses: readonly { readonly address: string }[],
  server: ServerAddress,
  connect: Connect,
): Promise<unknown> {
  let failure: unknown;
  for (const { address } of addresses) {
    const resolved = server.resolveWith(address);
    if (resolved.resolvedHost() !== address) throw unknownDriver();
    try {
      return await connect(resolved);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * The address without routing, such as `bolt+s://host:7687` for `neo4j+s://host:7687?policy=x`. The routing context in the
 * query has no meaning then.
 */
function directUri(uri: string): string {
  return uri.replace(/^neo4j(?=\+|:)/i, 'bolt').replace(/[/?#]*(\?.*)?$/s, '');
}

function unknownDriver(): HoldfastError {
  return new HoldfastError(
    'INTERNAL',
    'The egress policy cannot check the connections of this release of neo4j-driver: its internals have changed',
  );
}
