import {
  type AuthProvider,
  Client,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type PriorDiscovery,
} from '@modelcontextprotocol/client';
import type { RunOwner } from '../../../src/contracts/runs/run-owner';
import type { CheckedFetch } from '../../../src/egress/checked-fetch';
import { VERSION } from '../../../src/base/version';
import type { Channel } from './channel';
import type { CommandTarget, HttpTarget } from './check-target';
import { checkMessages } from './checked-messages';
import type { Commands } from './commands';
import { LoginAsked, readChallenge } from './login/login-errors';
import { loginFetch } from './login/login-fetch';
import type { ServerLogin } from './login/server-login';
import { withinTime } from '../../../src/base/async/time-limit';

interface HttpAccess extends Omit<HttpTarget, 'auth'> {
  /** For whom the connection is made. */
  readonly owner: RunOwner;
  /** Whether the connection may reach private and loopback addresses. */
  readonly allowPrivate: boolean;
  /** Absent: the server is asked without a login. */
  readonly login?: ServerLogin | undefined;
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
  /** Ends a session at the server too, or the process that serves. It never throws, and takes at most some seconds. */
  close(): Promise<void>;
}

/** Connects to servers. It throws what the protocol's client throws; `describeRemoteFailure` reads that. */
export type Connect = (access: ServerAccess, options: ConnectOptions) => Promise<ServerConnection>;

/** A server of 2025 may leave the question for its revision unanswered. It is then asked by its own protocol. Milliseconds. */
const PROBE_LIMIT_MS = 5_000;
/** The time that a server has for the end of a session, milliseconds. It then loses the connection. */
const END_LIMIT_MS = 2_000;

export function createConnect(
  fetch: CheckedFetch,
  commands: Pick<Commands, 'open'>,
  probeMs = PROBE_LIMIT_MS,
): Connect {
  async function open(
    access: ServerAccess,
    { signal, timeoutMs }: ConnectOptions,
  ): Promise<ServerConnection> {
    const channel =
      'command' in access ? await commands.open(access, signal) : openHttp(fetch, access, signal);
    const { transport } = channel;
    checkMessages(transport);
    // The client asks first which revision the server speaks. It declares no capability, so no server may ask it back.
    const client = new Client(
      { name: 'holdfast', version: VERSION },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
        inputRequired: { autoFulfill: false },
      },
    );
    const close = async (): Promise<void> => {
      await channel.end().catch(() => undefined);
      await client.close().catch(() => undefined);
    };
    // The client passes its signal to neither the question for the revision nor the notification after `initialize`.
    const stop = (): void => void transport.close().catch(() => undefined);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      const prior = access.prior === undefined ? {} : { prior: access.prior };
      await client.connect(transport, { signal, timeout: timeoutMs, ...prior });
      return { client, close };
    } catch (error) {
      await close();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  return async (access, options) => {
    try {
      return await open(access, options);
    } catch (error) {
      // For a command, the client itself continues with the protocol of 2025.
      if (access.prior !== undefined || !isTimeout(error, probeMs)) throw error;
      return await open({ ...access, prior: { kind: 'legacy' } }, options);
    }
  };
}

function isTimeout(error: unknown, timeoutMs: number): boolean {
  if (!SdkError.isInstance(error) || error.code !== SdkErrorCode.RequestTimeout) return false;
  return (error.data as { timeout?: unknown } | undefined)?.timeout === timeoutMs;
}

function openHttp(fetch: CheckedFetch, access: HttpAccess, signal: AbortSignal): Channel {
  const { url, headers, owner, allowPrivate } = access;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: fetch.of({ owner, allowPrivate }),
    requestInit: { headers: { ...headers } },
    authProvider: authProviderOf(fetch, access, signal),
  });
  // The request has no limit before the client closes the transport, which aborts it.
  return { transport, end: () => withinTime(transport.terminateSession(), END_LIMIT_MS) };
}

/** Gives the requests of a connection their token, and reads what a server says that wants one. */
function authProviderOf(fetch: CheckedFetch, access: HttpAccess, signal: AbortSignal): AuthProvider {
  const { login, headers } = access;
  const viaLogin = loginFetch(fetch, access);
  return {
    token: () => login?.token(viaLogin, signal) ?? Promise.resolve(undefined),
    async onUnauthorized({ response }) {
      if (login !== undefined) return login.renew(viaLogin, signal);
      const challenge = readChallenge(response);
      const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
      if (challenge !== undefined && !hasOwn) throw new LoginAsked(challenge);
      throw new SdkHttpError(SdkErrorCode.ClientHttpAuthentication, 'The server refused the request', {
        status: response.status,
        statusText: response.statusText,
      });
    },
  };
}
