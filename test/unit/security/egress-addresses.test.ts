import { isIP, Socket, type LookupFunction } from 'node:net';
import { z } from 'zod';
import { createEgress } from '../../../src/egress/create-egress';
import type { Egress } from '../../../src/egress/egress';
import { parseHttpUrl } from '../../../src/egress/hops';
import { rejection } from '../egress/cleanup';
import { readEntries } from './read-data';

/** The failure of a request that the policy allows, because there is no network. */
const CONNECTED = /^Request to \S+ failed: connection refused$/;

/** How the policy's message names what is wrong with a URL itself. */
const URL_FAULTS: Readonly<Record<string, RegExp>> = {
  'no address': /^Request refused: ".*" is not an address such as /s,
  scheme: /^Request refused: only http and https addresses can be requested, not /,
  credentials: /^Request refused: the address contains a user name or password/,
};

const entry = z.strictObject({
  url: z.string(),
  /** `allowed` always, `private` only with the permission for private addresses, `refused` never. */
  verdict: z.enum(['allowed', 'private', 'refused']),
  /** The policy's own word for the address, or a key of `URL_FAULTS`. */
  kind: z.enum([
    'public',
    'loopback',
    'private',
    'carrier-grade NAT',
    'unique-local',
    'cloud metadata',
    'link-local',
    'unspecified',
    'multicast',
    'broadcast',
    'reserved',
    'unrecognised',
    'no address',
    'scheme',
    'credentials',
  ]),
  why: z.string(),
  /** The host after normalisation, if it differs from the text of the URL. */
  host: z.string().optional(),
  /** What a stub of the resolver answers for the name in the URL. */
  resolvesTo: z.array(z.string()).optional(),
});

type Entry = z.infer<typeof entry>;

const ENTRIES = readEntries('egress-addresses.json', entry);

/** Both the process and the run have to permit private addresses. */
const PERMISSIONS = [
  { process: false, run: false },
  { process: false, run: true },
  { process: true, run: false },
  { process: true, run: true },
] as const;

interface Target {
  readonly host: string;
  readonly lookup: LookupFunction;
}

/** The hosts to which a socket would have connected. */
const connected: string[] = [];

/**
 * Stands in for the network, below all code of the policy and of the HTTP client: it resolves a name by the socket's
 * own lookup, as Node.js does, and refuses the connection.
 */
function connectNowhere(this: Socket, ...args: unknown[]): Socket {
  const [options] = args.flat() as [Target];
  const refuse = (error: Error | null): void => {
    if (error === null) connected.push(options.host);
    this.destroy(error ?? Object.assign(new Error('no network'), { code: 'ECONNREFUSED' }));
  };
  if (isIP(options.host) === 0) options.lookup(options.host, { all: true }, refuse);
  else process.nextTick(refuse, null);
  return this;
}

function resolverOf({ resolvesTo }: Entry) {
  return async () => {
    if (resolvesTo === undefined) throw new Error('an address is not looked up');
    return resolvesTo.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }) as const);
  };
}

async function request(egress: Egress, url: string, allowPrivate: boolean): Promise<Error> {
  const { signal } = new AbortController();
  return rejection(
    egress.request({ owner: { tenant: 'default' }, url, method: 'GET', allowPrivate, signal }),
  );
}

/** What the policy says of an entry that it refuses with or without the permission for private addresses. */
function refusalOf({ kind, verdict, resolvesTo = [] }: Entry, mayReachPrivate: boolean): RegExp {
  const fault = URL_FAULTS[kind];
  if (fault !== undefined) return fault;
  // Of several addresses, the message has the first one that is refused, which depends on the permission.
  if (verdict === 'refused' && resolvesTo.length > 1 && !mayReachPrivate)
    return /^Request refused: \S+ resolves to a /;
  const reason =
    verdict === 'refused' ? 'requests to such addresses are never allowed' : 'this server is not set to';
  const verb = resolvesTo.length === 0 ? 'is' : 'resolves to';
  return new RegExp(`^Request refused: \\S+ ${verb} a ${kind} address, and ${reason}`);
}

test('there are at least 80 addresses, and each is there once', () => {
  expect(ENTRIES.length).toBeGreaterThanOrEqual(80);
  expect(new Set(ENTRIES.map(({ url }) => url)).size).toBe(ENTRIES.length);
});

describe('addresses', () => {
  beforeEach(() => {
    connected.length = 0;
    jest.spyOn(Socket.prototype, 'connect').mockImplementation(connectNowhere);
  });
  afterEach(() => jest.restoreAllMocks());

  const titled = ENTRIES.map(
    (one) => [`${one.verdict}: ${JSON.stringify(one.url)}, ${one.why}`, one] as const,
  );

  test.each(titled)('%s', async (_title, given) => {
    const { url, verdict, host, resolvesTo = [] } = given;
    if (host !== undefined) expect(parseHttpUrl(url).hostname).toBe(host);
    for (const { process, run } of PERMISSIONS) {
      const egress = createEgress({ allowPrivate: process, maxBodyBytes: 1_000, resolve: resolverOf(given) });
      const error = await request(egress, url, run);
      await egress.close();
      const mayReachPrivate = process && run;
      const mayConnect = verdict === 'allowed' || (verdict === 'private' && mayReachPrivate);
      expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: mayConnect });
      expect(connected.splice(0)).toHaveLength(mayConnect ? 1 : 0);
      expect(error.message).toMatch(mayConnect ? CONNECTED : refusalOf(given, mayReachPrivate));
      // A caller could otherwise ask an internal name server through the service.
      const hidden = resolvesTo.filter((address) => address !== '' && !url.includes(address));
      for (const address of hidden) expect(error.message).not.toContain(address);
    }
  });
});
