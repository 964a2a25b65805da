import { Client, StreamableHTTPClientTransport, type PriorDiscovery } from '@modelcontextprotocol/client';
import type { CheckedFetch } from '../egress/checked-fetch';
import { VERSION } from '../base/version';
import type { Channel } from './channel';
import type { CommandTarget, HttpTarget } from './check-target';
import type { Commands } from './commands';

interface HttpAccess extends HttpTarget {
  /** Whether the connection may reach private and loopback addresses. */
  readonly allowPrivate: boolean;
}

/** What a connection to a server needs. */
export type ServerAccess = (HttpAccess | CommandTarget) & {
  /** What the server said of itself when its tools were listed; with it a connection costs fewer requests, or none. */
  readonly prior?: PriorDiscovery | undefined;
};

export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each request of the connection. */
  readonly timeoutMs: number;
}

export interface ServerConnection {
  readonly client: Client;
  /** Ends a session at the server too, or the process that serves. It never throws. */
  close(): Promise<void>;
}

/** Connects to servers. It throws what the protocol's client throws; `describeRemoteFailure` reads that. */
export type Connect = (access: ServerAccess, options: ConnectOptions) => Promise<ServerConnection>;

export function createConnect(fetch: CheckedFetch, commands: Pick<Commands, 'open'>): Connect {
  return async (access, { signal, timeoutMs }) => {
    const channel = 'command' in access ? await commands.open(access, signal) : openHttp(fetch, access);
    const { transport, probeMs } = channel;
    const probe = probeMs === undefined ? {} : { probe: { timeoutMs: probeMs } };
    // The client asks first which revision the server speaks. It declares no capability, so no server may ask it back.
    const client = new Client(
      { name: 'holdfast', version: VERSION },
      { versionNegotiation: { mode: 'auto', ...probe }, inputRequired: { autoFulfill: false } },
    );
    const close = async (): Promise<void> => {
      await channel.end().catch(() => undefined);
      await client.close().catch(() => undefined);
    };
    try {
      const prior = access.prior === undefined ? {} : { prior: access.prior };
      await client.connect(transport, { signal, timeout: timeoutMs, ...prior });
      return { client, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

function openHttp(fetch: CheckedFetch, { url, headers, allowPrivate }: HttpAccess): Channel {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: fetch.of(allowPrivate),
    requestInit: { headers: { ...headers } },
  });
  return { transport, end: () => transport.terminateSession() };
}
