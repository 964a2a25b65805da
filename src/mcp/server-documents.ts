import type { DiscoverResult } from '@modelcontextprotocol/client';
import type { McpServerView, PendingTool, UsedTool } from '../contracts/http/mcp-servers';
import type { SecretBox } from '../secrets/secret-box';
import { MAX_LIST_LIMIT, type DocumentWrite, type StoredDocument } from '../stores/documents';
import type { TenantDocuments } from '../stores/documents';
import type { ServerAccess } from './connect';
import type { RegistrationRules, RemoteTool } from './remote-tool';

/** The record of a server. Each call reads it, so definitions of tools are kept elsewhere. */
export interface StoredServer extends RegistrationRules {
  readonly name: string;
  /** Differs from registration to registration, so that a listing changes no server that was added since. */
  readonly id: string;
  readonly url: string;
  readonly headerNames: readonly string[];
  readonly sealedHeaders?: string;
  readonly allow?: readonly string[];
  /** Whether the API that accepted the address permits private ones. */
  readonly allowPrivate: boolean;
  /** ISO 8601 */
  readonly addedAt: string;
  readonly protocol: string;
  readonly discover?: DiscoverResult;
  readonly tools: readonly UsedTool[];
  readonly pending: readonly PendingTool[];
  readonly skipped: McpServerView['skipped'];
  readonly away?: { readonly since: string; readonly reason: string };
  readonly listedAt: string;
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
  /** Seals headers for the record of a server. */
  seal(
    name: string,
    headers: Readonly<Record<string, string>>,
  ): Pick<StoredServer, 'headerNames' | 'sealedHeaders'>;
  /** @throws HoldfastError `STORE_UNAVAILABLE` where the headers were sealed with another key */
  access(server: StoredServer): ServerAccess;
}

const SERVERS = 'mcp-servers';
const PENDING = 'mcp-pending-tools';

export function createServerDocuments(
  documents: TenantDocuments,
  secrets: SecretBox,
  tenant: string,
): ServerDocuments {
  // A sealed text of one server or tenant cannot be opened as that of another one.
  const purpose = (name: string): string => `${SERVERS}/${tenant}/${name}`;
  return {
    find: (name) => documents.get(SERVERS, name),
    list: () => documents.list(SERVERS, { limit: MAX_LIST_LIMIT }),
    pending: async (name) => (await documents.get<RemoteTool[]>(PENDING, name))?.value ?? [],
    write: (writes) => documents.write(writes),
    seal(name, headers) {
      const headerNames = Object.keys(headers);
      if (headerNames.length === 0) return { headerNames };
      return { headerNames, sealedHeaders: secrets.seal(JSON.stringify(headers), purpose(name)) };
    },
    access({ name, url, sealedHeaders, discover, allowPrivate }) {
      const headers =
        sealedHeaders === undefined
          ? {}
          : (JSON.parse(secrets.open(sealedHeaders, purpose(name))) as Record<string, string>);
      return { url, headers, discover, allowPrivate };
    },
  };
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

export function deleteServer(name: string, ifVersion: number): DocumentWrite[] {
  return [
    { type: 'delete', collection: SERVERS, key: name, ifVersion },
    { type: 'delete', collection: PENDING, key: name },
  ];
}
