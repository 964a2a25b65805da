import type { LoginAnswer, LoginReturn } from '../../../../src/tools/remote-servers';
import { exchangeAuthorization, IssuerMismatchError } from '@modelcontextprotocol/client';
import { HoldfastError, validationError } from '../../../../src/base/errors';
import { cutText } from '../../../../src/base/text/well-formed';
import { beginLogin, type LoginServer } from './begin-login';
import { createKeepTokens } from './keep-tokens';
import type { PendingLogin, ServerKey, StoredLogin } from './login-documents';
import { describeLoginFailure, type LoginChallenge } from './login-errors';
import type { LoginFetch } from './login-fetch';
import { createServerLogin, type ServerLogin, type ServerLoginPorts, TOKEN_LIMIT_MS } from './server-login';

/** The logins of a tenant at its servers. */
export interface Logins {
  /** What may be shown of the logins, by the names of the servers. */
  findEach(servers: readonly ServerKey[]): Promise<Map<string, StoredLogin>>;
  /** The login that a connection to a server uses. */
  of(server: ServerKey): ServerLogin;
  /**
   * Begins a login, in place of one that was begun before.
   * @param id of the login, by which it is finished
   * @returns the address at which a person logs in
   * @throws HoldfastError `MCP_SERVER_UNAVAILABLE`
   */
  begin(
    server: LoginServer,
    id: string,
    challenge: LoginChallenge,
    back: LoginReturn,
    fetch: LoginFetch,
  ): Promise<string>;
  /**
   * Ends the login that was begun with the id, once. The code is exchanged after the login was noted as used.
   * @throws HoldfastError `VALIDATION` if it was used, or another one was begun, or the answer is from another issuer;
   *   `ACCESS_DENIED` if the authorization server says that it refused; `MCP_SERVER_UNAVAILABLE` if it gives no tokens;
   *   `MCP_SERVER_NOT_FOUND`
   */
  finish(server: ServerKey, id: string, answer: LoginAnswer, fetch: LoginFetch): Promise<void>;
}

const MAX_SHOWN = 200;

export function createLogins(ports: Omit<ServerLoginPorts, 'keep'>): Logins {
  const { documents, now, inBackground } = ports;
  const keep = createKeepTokens(documents, now);

  async function take(server: ServerKey, id: string): Promise<PendingLogin> {
    let taken: PendingLogin | undefined;
    await documents.change(server, ({ pending, ...login }) => {
      if (pending?.id !== id) throw validationError('state', 'was used, or another login was begun after it');
      taken = documents.openPending(server, pending.sealed);
      return login;
    });
    if (taken === undefined) throw new Error('A change that succeeded has taken the login');
    return taken;
  }

  async function note(server: ServerKey, reason: string): Promise<void> {
    const failure = { at: new Date(now()).toISOString(), reason };
    await documents.change(server, (login) => ({ ...login, failure }));
  }

  async function exchange(
    server: ServerKey,
    { verifier, redirectUrl, ...party }: PendingLogin,
    code: string,
    iss: string | undefined,
    fetch: LoginFetch,
  ): Promise<void> {
    const { url, metadata, client, resource } = party;
    const tokens = await exchangeAuthorization(url, {
      metadata,
      clientInformation: client,
      authorizationCode: code,
      iss,
      codeVerifier: verifier,
      redirectUri: redirectUrl,
      resource,
      fetchFn: fetch(AbortSignal.timeout(TOKEN_LIMIT_MS)),
    });
    await keep(server, party, tokens);
  }

  return {
    findEach: (servers) => documents.findEach(servers),
    of: (server) => createServerLogin({ ...ports, keep }, server),
    async begin(server, id, challenge, back, fetch) {
      const { url, pending } = await beginLogin(server, challenge, back, fetch).catch((error: unknown) => {
        throw failed(server, 'cannot be begun', error);
      });
      const sealed = documents.seal(server, pending);
      await documents.change(server, (login) => ({ ...login, pending: { id, sealed } }));
      return url.href;
    },
    async finish(server, id, { code, iss, error, errorDescription }, fetch) {
      const pending = await take(server, id);
      if (code === undefined) {
        const refusal = [error, errorDescription].filter((text) => text !== undefined).join(': ');
        const reason = `the authorization server refused the login: ${cutText(refusal, MAX_SHOWN)}`;
        await note(server, reason);
        throw new HoldfastError('ACCESS_DENIED', `No login was made, because ${reason}`);
      }
      const work = exchange(server, pending, code, iss, fetch);
      inBackground(work.catch(() => undefined));
      await work.catch(async (thrown: unknown) => {
        await note(server, describeLoginFailure(thrown).description);
        if (thrown instanceof IssuerMismatchError)
          throw validationError('iss', 'is not the authorization server that was asked');
        throw failed(server, 'has failed', thrown);
      });
    },
  };
}

function failed({ name }: ServerKey, what: string, cause: unknown): HoldfastError {
  const { description, retryable } = describeLoginFailure(cause);
  return new HoldfastError('MCP_SERVER_UNAVAILABLE', `The login at "${name}" ${what}: ${description}`, {
    details: { server: name, reason: description },
    retryable,
  });
}
