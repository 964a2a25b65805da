import type { AuthorizationServerMetadata, OAuthTokens } from '@modelcontextprotocol/client';
import { HoldfastError } from '../../../../src/base/errors';
import { parseJson } from '../../../../src/base/json/parse';
import type { SecretBox } from '../../../../src/secrets/secret-box';
import { CONFLICT, untilNoConflict } from '../../../../src/stores/compare-and-set';
import type { DocumentWrite, StoredDocument, TenantDocuments } from '../../../../src/stores/documents';

/** One registration of a server: a server that is added again under the same name has another id. */
export interface ServerKey {
  readonly name: string;
  readonly id: string;
}

/** The login at a server. All of it but the sealed texts may be shown. */
export interface StoredLogin {
  readonly state: 'required' | 'done' | 'expired';
  /** The login that a person has begun last, with its sealed `PendingLogin`. */
  readonly pending?: { readonly id: string; readonly sealed: string };
  /** The sealed `GrantedLogin`. */
  readonly granted?: string;
  /** From when the token is renewed, and until when it is valid, epoch milliseconds; absent: the server does not say. */
  readonly renewAt?: number;
  readonly validUntil?: number;
  /** A process renews the token until then, epoch milliseconds; others wait for its result. */
  readonly renewingUntil?: number;
  readonly failure?: { readonly at: string; readonly reason: string };
}

/** The authorization server, and how the service is known to it. */
export interface LoginParty {
  readonly url: string;
  /** What requests for tokens need; absent if the server publishes nothing of itself. */
  readonly metadata?: AuthorizationServerMetadata;
  readonly client: { readonly client_id: string; readonly client_secret?: string };
  /** What the tokens are for (RFC 8707). */
  readonly resource?: string;
}

export interface PendingLogin extends LoginParty {
  readonly verifier: string;
  readonly redirectUrl: string;
}

export interface GrantedLogin extends LoginParty {
  readonly accessToken: string;
  readonly refreshToken?: string;
}

/** Reads and writes the logins of a tenant. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface LoginDocuments {
  /** @returns undefined if the server was removed or added anew */
  find(server: ServerKey): Promise<StoredDocument<StoredLogin> | undefined>;
  /** Those of several servers, by name. */
  findEach(servers: readonly ServerKey[]): Promise<Map<string, StoredLogin>>;
  /** Writes a login of a version. @returns false if it has another one by now */
  write(server: ServerKey, login: StoredLogin, ifVersion: number): Promise<boolean>;
  /**
   * Changes a login by compare-and-set. `next` may throw.
   * @throws HoldfastError `MCP_SERVER_NOT_FOUND` if the server was removed or added anew
   */
  change(server: ServerKey, next: (login: StoredLogin) => StoredLogin): Promise<StoredLogin>;
  seal(server: ServerKey, content: PendingLogin | GrantedLogin): string;
  /** @throws HoldfastError `STORE_UNAVAILABLE` if it was sealed with another key, or for another registration */
  openPending(server: ServerKey, sealed: string): PendingLogin;
  /** @throws HoldfastError as `openPending` does */
  openGranted(server: ServerKey, sealed: string): GrantedLogin;
}

const LOGINS = 'mcp-logins';
/** A token is renewed this long before it expires, milliseconds, or when a fifth of its time is left. */
const RENEW_BEFORE_MS = 60_000;

export function createLoginDocuments(
  documents: TenantDocuments,
  secrets: SecretBox,
  tenant: string,
): LoginDocuments {
  const purpose = ({ name, id }: ServerKey): string => `${LOGINS}/${tenant}/${name}/${id}`;
  const open = (server: ServerKey, sealed: string): unknown =>
    parseJson(secrets.open(sealed, purpose(server)));

  function find(server: ServerKey): Promise<StoredDocument<StoredLogin> | undefined> {
    return documents.get(LOGINS, keyOf(server));
  }

  const write = (server: ServerKey, value: StoredLogin, ifVersion: number): Promise<boolean> =>
    documents.write([{ type: 'put', collection: LOGINS, key: keyOf(server), value, ifVersion }]);

  return {
    find,
    write,
    async findEach(servers) {
      if (servers.length === 0) return new Map();
      const logins = await documents.getEach<StoredLogin>(LOGINS, servers.map(keyOf));
      return new Map(
        servers.flatMap((server) => {
          const login = logins.get(keyOf(server))?.value;
          return login === undefined ? [] : [[server.name, login] as const];
        }),
      );
    },
    change: (server, next) =>
      untilNoConflict('the logins at MCP servers', async () => {
        const document = await find(server);
        if (document === undefined)
          throw new HoldfastError(
            'MCP_SERVER_NOT_FOUND',
            `The server "${server.name}" was removed or replaced`,
          );
        const login = next(document.value);
        return (await write(server, login, document.version)) ? login : CONFLICT;
      }),
    seal: (server, content) => secrets.seal(JSON.stringify(content), purpose(server)),
    openPending: (server, sealed) => open(server, sealed) as PendingLogin,
    openGranted: (server, sealed) => open(server, sealed) as GrantedLogin,
  };
}

/**
 * Each registration has a login of its own, so that a change that was begun for a removed one writes nothing of it into the next
 * one's, whose version begins at 1 as well.
 */
const keyOf = ({ name, id }: ServerKey): string => `${name}/${id}`;

/** Writes the login of a server that is added, which no person has made yet. */
export function putNewLogin(server: ServerKey): DocumentWrite {
  const value: StoredLogin = { state: 'required' };
  return { type: 'put', collection: LOGINS, key: keyOf(server), value };
}

export function deleteLogin(server: ServerKey): DocumentWrite {
  return { type: 'delete', collection: LOGINS, key: keyOf(server) };
}

/** A login with new tokens. Pure. @param now epoch milliseconds @param granted sealed */
export function withTokens(
  { pending }: StoredLogin,
  granted: string,
  { expires_in: seconds }: OAuthTokens,
  now: number,
): StoredLogin {
  const base = { state: 'done' as const, granted, pending };
  if (seconds === undefined) return base;
  const lifeMs = seconds * 1_000;
  return { ...base, validUntil: now + lifeMs, renewAt: now + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs / 5) };
}
