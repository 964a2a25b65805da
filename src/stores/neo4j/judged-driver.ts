import neo4j, { type Config, type Driver } from 'neo4j-driver';
import { hostOf, lookUpOf } from '../../egress/host';
import { resolveAllowed, systemResolver, type Resolver } from '../../egress/resolver';
import { HoldfastError, isHoldfastError } from '../../base/errors';
import { storeUnavailable } from '../unavailable';
import type { Neo4jSettings } from './settings';

export type JudgedSettings = Pick<Neo4jSettings, 'uri' | 'username' | 'password'> & {
  readonly egress: NonNullable<Neo4jSettings['egress']>;
};

/** The driver's own form of an address: the name that TLS checks, and the IP address that sockets connect to. */
interface ServerAddress {
  resolveWith(address: string): ServerAddress;
  resolvedHost(): string;
}

type Connect = (address: ServerAddress) => Promise<unknown>;

/** The parts of the driver's inside that are used here. */
interface Internals {
  _createConnectionProvider?: (...args: unknown[]) => { _createChannelConnection?: Connect };
}

/**
 * A driver for an address that a caller named. It connects by Bolt to the host of the address alone and never follows a
 * routing table, and each of its connections goes to an IP address that the egress policy judged for that connection, so
 * that a name cannot answer one thing to the check and another to the socket. TLS checks the name as always.
 *
 * The driver takes no `lookup`, and its `resolver` option exists with routing only, so the lookup is put where the driver
 * makes its connections. A release of the driver that makes them otherwise is refused by `INTERNAL`.
 */
export function openJudgedDriver(
  { uri, username, password, egress }: JudgedSettings,
  options: Config,
  resolve: Resolver = systemResolver,
): Driver {
  const host = hostOf(uri);
  const lookUp = lookUpOf(host, resolve);
  const judge = async (): Promise<readonly { readonly address: string }[]> => {
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
    provider._createChannelConnection = async (address) => connectToOne(await judge(), address, connect);
    return provider;
  };
  return driver;
}

/** The first of the addresses that can be connected to: a name may have one of IPv6 that nothing listens on. */
async function connectToOne(
  judged: readonly { readonly address: string }[],
  server: ServerAddress,
  connect: Connect,
): Promise<unknown> {
  let failure: unknown;
  for (const { address } of judged) {
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

/** As in `bolt+s://host:7687` for `neo4j+s://host:7687?policy=x`: a routing context means nothing without routing. */
export function directUri(uri: string): string {
  return uri.replace(/^neo4j(?=\+|:)/i, 'bolt').replace(/[/?#]*(\?.*)?$/s, '');
}

function unknownDriver(): HoldfastError {
  return new HoldfastError(
    'INTERNAL',
    'This release of neo4j-driver makes its connections in a way that the egress policy cannot watch',
  );
}
