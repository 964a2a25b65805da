import type { DiscoverResult, PriorDiscovery } from '@modelcontextprotocol/client';
import { parseJson } from '../../../src/base/json/parse';
import {
  mcpServerNameSchema,
  type McpServerView,
  type PendingTool,
  type UsedTool,
} from '../../../src/contracts/http/mcp-servers';
import type { SecretBox } from '../../../src/secrets/secret-box';
import {
  type DocumentWrite,
  MAX_LIST_LIMIT,
  type StoredDocument,
  type TenantDocuments,
} from '../../../src/stores/documents';
import type { CommandTarget, HttpTarget } from './check-target';
import type { ServerAccess } from './connect';
import type { LoginServer } from './login/begin-login';
import { deleteLogin } from './login/login-documents';
import type { RegistrationRules, RemoteTool } from './remote-tool';

interface StoredHttpTarget {
  readonly url: string;
  readonly headerNames: readonly string[];
  readonly sealedHeaders?: string;
  readonly auth?: StoredAuth;
  /** Whether the API that accepted the address permits private ones. */
  readonly allowPrivate: boolean;
}

/** How the service logs in, as the caller has set it. */
interface StoredAuth {
  readonly clientId?: string;
  readonly sealedSecret?: string;
  readonly scope?: string;
}

interface StoredCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly envNames: readonly string[];
  readonly sealedEnv?: string;
}

/** A tool that waits to be confirmed, without what only a person reads. */
export type WaitingTool = Omit<PendingTool, 'description'>;

/** The record of a server. Each call reads it, so definitions of tools are kept elsewhere. */
export type StoredServer = ServerRecord & (StoredHttpTarget | StoredCommand);

interface ServerRecord extends RegistrationRules {
  readonly name: string;
  /** Differs from registration to registration, so that a listing changes no server that was added since. */
  readonly id: string;
  readonly allow?: readonly string[];
  /** ISO 8601 */
  readonly addedAt: string;
  /** Absent until the tools were listed, as is `listedAt`: a server with a login is added before that. */
  readonly protocol?: string;
  readonly discover?: DiscoverResult;
  readonly tools: readonly UsedTool[];
  readonly pending: readonly WaitingTool[];
  readonly skipped: McpServerView['skipped'];
  readonly away?: { readonly since: string; readonly reason: string };
  readonly listedAt?: string;
  /** Epoch milliseconds from which the list is read again. */
  readonly staleAt: number;
  /** A process lists the tools until then, epoch milliseconds; others leave it to that one. */
  readonly refreshingUntil?: number;
}

type Document = StoredDocument<StoredServer>;

/** Reads and writes the documents of servers. */
export interface ServerDocuments {
  find(name: string): Promise<Document | undefined>;
  list(): Promise<Document[]>;
  /** The definitions that wait to be confirmed. */
  pending(name: string): Promise<readonly RemoteTool[]>;
  write(writes: readonly DocumentWrite[]): Promise<boolean>;
  /** Seals the headers, the secret of the client or the environment of a server for its record. */
  seal(
    name: string,
    target: HttpTarget | CommandTarget,
    allowPrivate: boolean,
  ): StoredHttpTarget | StoredCommand;
  /** @throws HoldfastError `STORE_UNAVAILABLE` if headers or environment were sealed with another key */
  access(server: StoredServer): ServerAccess;
  /**
   * Where and how a person logs in; undefined if the server has no login.
   * @throws HoldfastError `STORE_UNAVAILABLE` if the secret was sealed with another key
   */
  loginServer(server: StoredServer): LoginServer | undefined;
}

const SERVERS = 'mcp-servers';
const PENDING = 'mcp-pending-tools';
/** Revisions before this one begin with `initialize`. Revisions are dates. */
const FIRST_MODERN_REVISION = '2026';

type Texts = Readonly<Record<string, string>>;
/** What of a server is sealed. */
type Kind = 'headers' | 'env' | 'client';

export function createServerDocuments(
  documents: TenantDocuments,
  secrets: SecretBox,
  tenant: string,
): ServerDocuments {
  // A sealed text of one server or tenant cannot be opened as that of another one, nor headers as environment.
  const purpose = (name: string, kind: Kind): string =>
    `${SERVERS}/${tenant}/${name}${kind === 'headers' ? '' : `/${kind}`}`;
  const seal = (texts: Texts, name: string, kind: Kind): string | undefined =>
    Object.keys(texts).length === 0 ? undefined : secrets.seal(JSON.stringify(texts), purpose(name, kind));
  const open = (sealed: string | undefined, name: string, kind: Kind): Texts =>
    sealed === undefined ? {} : (parseJson(secrets.open(sealed, purpose(name, kind))) as Texts);

  function sealAuth(
    { clientId, clientSecret, scope }: NonNullable<HttpTarget['auth']>,
    name: string,
  ): StoredAuth {
    const sealedSecret = seal(clientSecret === undefined ? {} : { secret: clientSecret }, name, 'client');
    return { clientId, sealedSecret, scope };
  }

  return {
    find(name) {
      // A name that no server has may be too long for a key.
      const isPossible = mcpServerNameSchema.safeParse(name).success;
      return isPossible ? documents.get(SERVERS, name) : Promise.resolve(undefined);
    },
    list: () => documents.list(SERVERS, { limit: MAX_LIST_LIMIT }),
    pending: async (name) => (await documents.get<RemoteTool[]>(PENDING, name))?.value ?? [],
    write: (writes) => documents.write(writes),
    seal(name, target, allowPrivate) {
      if ('command' in target) {
        const { command, args, env } = target;
        const sealedEnv = seal(env, name, 'env');
        const sealed = sealedEnv === undefined ? {} : { sealedEnv };
        return { command, args, envNames: Object.keys(env), ...sealed };
      }
      const { url, headers, auth } = target;
      const sealedHeaders = seal(headers, name, 'headers');
      const sealed = sealedHeaders === undefined ? {} : { sealedHeaders };
      const login = auth === undefined ? {} : { auth: sealAuth(auth, name) };
      return { url, headerNames: Object.keys(headers), ...sealed, ...login, allowPrivate };
    },
    access(server) {
      const { name, discover, protocol } = server;
      const prior = priorOf(protocol, discover);
      if ('command' in server) {
        const { command, args, sealedEnv } = server;
        return { command, args, env: open(sealedEnv, name, 'env'), prior };
      }
      const { url, sealedHeaders, allowPrivate } = server;
      return { url, headers: open(sealedHeaders, name, 'headers'), prior, owner: { tenant }, allowPrivate };
    },
    loginServer(server) {
      if ('command' in server || server.auth === undefined) return undefined;
      const { name, id, url, allowPrivate, auth } = server;
      const { clientId, scope, sealedSecret } = auth;
      const { secret } = open(sealedSecret, name, 'client');
      const client = clientId === undefined ? undefined : { client_id: clientId, client_secret: secret };
      return { name, id, url, allowPrivate, owner: { tenant }, client, scope };
    },
  };
}

/** To ask a server which revision it speaks takes one more request or process, so the answer to the last listing is used. */
function priorOf(
  protocol: string | undefined,
  discover: DiscoverResult | undefined,
): PriorDiscovery | undefined {
  if (discover !== undefined) return { kind: 'modern', discover };
  return protocol !== undefined && protocol < FIRST_MODERN_REVISION ? { kind: 'legacy' } : undefined;
}

/** @param ifVersion as in `PutDocument` */
export function putServer(server: StoredServer, ifVersion?: number): DocumentWrite {
  const version = ifVersion === undefined ? {} : { ifVersion };
  return { type: 'put', collection: SERVERS, key: server.name, value: server, ...version };
}

export function putPending(name: string, tools: readonly RemoteTool[]): DocumentWrite {
  if (tools.length === 0) return { type: 'delete', collection: PENDING, key: name };
  return { type: 'put', collection: PENDING, key: name, value: tools };
}

export function deleteServer(
  { name, id }: Pick<StoredServer, 'name' | 'id'>,
  ifVersion: number,
): DocumentWrite[] {
  return [
    { type: 'delete', collection: SERVERS, key: name, ifVersion },
    { type: 'delete', collection: PENDING, key: name },
    deleteLogin({ name, id }),
  ];
}
