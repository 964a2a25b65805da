import { setTimeout as pause } from 'node:timers/promises';
import { refreshAuthorization } from '@modelcontextprotocol/client';
import { HoldfastError } from '../../../../src/base/errors';
import type { GrantedLogin, LoginDocuments, ServerKey, StoredLogin } from './login-documents';
import { describeLoginFailure, loginRequired } from './login-errors';
import type { LoginFetch } from './login-fetch';
import { KEEP_LIMIT_MS, type KeepTokens } from './keep-tokens';
import { untilAborted } from '../../../../src/base/async/time-limit';

/** The login of one connection to a server. */
export interface ServerLogin {
  /**
   * The token for the next request, renewed if it is about to expire.
   * @throws HoldfastError `MCP_LOGIN_REQUIRED`; `MCP_SERVER_UNAVAILABLE` (retryable) if it cannot be renewed now; the reason of
   *   the signal
   */
  token(fetch: LoginFetch, signal: AbortSignal): Promise<string>;
  /** Renews the token, because the server has refused it. @throws as `token` does */
  renew(fetch: LoginFetch, signal: AbortSignal): Promise<void>;
}

export interface ServerLoginPorts {
  readonly documents: LoginDocuments;
  readonly keep: KeepTokens;
  /** Notes work that a stopping process has to wait for. */
  readonly inBackground: (work: Promise<unknown>) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The maximum time of a request for tokens, milliseconds. */
export const TOKEN_LIMIT_MS = 10_000;
/** How long other processes leave a renewal to the one that makes it, milliseconds: until its tokens are stored at the latest. */
const CLAIM_MS = TOKEN_LIMIT_MS + KEEP_LIMIT_MS + 5_000;
/** How often others look for its result, milliseconds. */
const LOOK_EVERY_MS = 100;

/** What is read of a login that is in use. */
interface Current {
  readonly login: StoredLogin;
  readonly granted: GrantedLogin;
}

export function createServerLogin(ports: ServerLoginPorts, server: ServerKey): ServerLogin {
  const { documents, keep, inBackground, now } = ports;
  let current: Current | undefined;

  const isFresh = ({ renewAt = Infinity }: StoredLogin): boolean => now() < renewAt;
  const isValid = ({ validUntil = Infinity }: StoredLogin): boolean => now() < validUntil;

  /** @throws HoldfastError `MCP_LOGIN_REQUIRED`, `MCP_SERVER_NOT_FOUND` */
  async function read(): Promise<Current & { readonly version: number }> {
    const document = await documents.find(server);
    if (document === undefined)
      throw new HoldfastError('MCP_SERVER_NOT_FOUND', `The server "${server.name}" was removed or replaced`);
    const { value: login, version } = document;
    if (login.state !== 'done' || login.granted === undefined)
      throw loginRequired(server.name, login.failure?.reason ?? 'no person has logged in yet');
    return { login, granted: documents.openGranted(server, login.granted), version };
  }

  /**
   * Renews the token unless another process does or did. One process claims the renewal, since a refresh token may be used only once.
   * @param refused the token that the server has refused; undefined: none
   */
  async function renewed(
    refused: string | undefined,
    fetch: LoginFetch,
    signal: AbortSignal,
  ): Promise<Current> {
    for (;;) {
      signal.throwIfAborted();
      const seen = await read();
      const { login, granted, version } = seen;
      const isUsable = granted.accessToken !== refused && isValid(login);
      if (isUsable && isFresh(login)) return seen;
      if (granted.refreshToken === undefined) {
        if (isUsable) return seen;
        await expire(login, 'its token has expired, and the authorization server gave none to renew it');
        continue;
      }
      if (now() < (login.renewingUntil ?? 0)) {
        if (isUsable) return seen;
        await pause(LOOK_EVERY_MS);
        continue;
      }
      const claimed = { ...login, renewingUntil: now() + CLAIM_MS };
      if (!(await documents.write(server, claimed, version))) continue;
      // A renewal that was sent goes on when its call has ended, because its answer may be the only one that has the next token.
      const work = renewNow(claimed, granted, granted.refreshToken, fetch);
      inBackground(work.catch(() => undefined));
      const failure = await untilAborted(work, signal);
      // A token that is valid for no time is used all the same, so that each request renews it once.
      if (failure === undefined) return read();
      if (isUsable) return seen;
      throw failure;
    }
  }

  /** @returns the error of a renewal that may succeed later; undefined if the login was changed, which is read again */
  async function renewNow(
    claimed: StoredLogin,
    granted: GrantedLogin,
    refreshToken: string,
    fetch: LoginFetch,
  ): Promise<HoldfastError | undefined> {
    const { url, metadata, client, resource } = granted;
    try {
      const tokens = await refreshAuthorization(url, {
        metadata,
        clientInformation: client,
        refreshToken,
        resource,
        fetchFn: fetch(AbortSignal.timeout(TOKEN_LIMIT_MS)),
      });
      await keep(server, granted, tokens, (login) => login.granted === claimed.granted);
      return undefined;
    } catch (error) {
      const { description, retryable, refused } = describeLoginFailure(error);
      if (refused) return await expire(claimed, description);
      await documents.change(server, (login) => (isOf(claimed)(login) ? withoutClaim(login) : login));
      return new HoldfastError(
        'MCP_SERVER_UNAVAILABLE',
        `The login at "${server.name}" cannot be renewed: ${description}`,
        { details: { server: server.name, reason: description }, retryable },
      );
    }
  }

  /** Notes that a person has to log in again, unless one has done so meanwhile. */
  async function expire(seen: StoredLogin, description: string): Promise<undefined> {
    const reason = `the login has expired: ${description}`;
    const failure = { at: new Date(now()).toISOString(), reason };
    await documents.change(server, (login) =>
      isOf(seen)(login) ? { ...withoutClaim(login), state: 'expired', failure } : login,
    );
  }

  return {
    async token(fetch, signal) {
      if (current === undefined || !isFresh(current.login)) current = await renewed(undefined, fetch, signal);
      return current.granted.accessToken;
    },
    async renew(fetch, signal) {
      current = await renewed(current?.granted.accessToken, fetch, signal);
    },
  };
}

/** Whether a login is still the one that was seen, with the same tokens and the same claim. */
const isOf =
  (seen: StoredLogin) =>
  ({ granted, renewingUntil }: StoredLogin): boolean =>
    granted === seen.granted && renewingUntil === seen.renewingUntil;

function withoutClaim({ renewingUntil: _, ...login }: StoredLogin): StoredLogin {
  return login;
}
