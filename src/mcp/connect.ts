import { Client, StreamableHTTPClientTransport, type DiscoverResult } from '@modelcontextprotocol/client';
import type { CheckedFetch } from '../egress/checked-fetch';
import { VERSION } from '../base/version';

/** What a connection to a server needs. */
export interface ServerAccess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the server said of itself when its tools were listed; with it a connection costs no request. */
  readonly discover?: DiscoverResult | undefined;
  /** Whether the connection may reach private and loopback addresses. */
  readonly allowPrivate: boolean;
}

export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each request of the connection. */
  readonly timeoutMs: number;
}

export interface ServerConnection {
  readonly client: Client;
  /** Ends a session at the server too. It never throws. */
  close(): Promise<void>;
}

/** Connects to servers. It throws what the protocol's client throws; `describeRemoteFailure` reads that. */
export type Connect = (access: ServerAccess, options: ConnectOptions) => Promise<ServerConnection>;

export function createConnect(fetch: CheckedFetch): Connect {
  return async ({ url, headers, discover, allowPrivate }, { signal, timeoutMs }) => {
    // The client asks first which revision the server speaks. It declares no capability, so no server may ask it back.
    const client = new Client(
      { name: 'holdfast', version: VERSION },
      { versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: fetch.of(allowPrivate),
      requestInit: { headers: { ...headers } },
    });
    const close = async (): Promise<void> => {
      await transport.terminateSession().catch(() => undefined);
      await client.close().catch(() => undefined);
    };
    try {
      const prior = discover === undefined ? {} : { prior: { kind: 'modern' as const, discover } };
      await client.connect(transport, { signal, timeout: timeoutMs, ...prior });
      return { client, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}
