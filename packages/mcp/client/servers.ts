import type { RemoteServers } from '../../../src/tools/remote-servers';
import { HoldfastError, messageOf, validationError } from '../../../src/base/errors';
import { newId } from '../../../src/base/ids';
import type { Logger } from '../../../src/base/logger';
import type { McpServerView, NewMcpServer } from '../../../src/contracts/http/mcp-servers';
import { DEFAULT_TENANT } from '../../../src/contracts/tenants';
import type { SecretBox } from '../../../src/secrets/secret-box';
import { CONFLICT, untilNoConflict } from '../../../src/stores/compare-and-set';
import type { TenantDocuments } from '../../../src/stores/documents';
import type { ToolRegistry } from '../../../src/tools/registry';
import type { CheckedFetch } from '../../../src/egress/checked-fetch';
import { applyListing, type FirstListing, takeFirstListing } from './apply-listing';
import { createChangeServer, unknownServer } from './change-server';
import { checkTarget, type CommandTarget, type HttpTarget } from './check-target';
import type { Connect, ServerAccess } from './connect';
import { listTools, type Listing } from './list-tools';
import { createLogins } from './login/create-logins';
import { createLoginDocuments, deleteLogin, putNewLogin, type StoredLogin } from './login/login-documents';
import { toRegistration } from './remote-tool';
import {
  createServerDocuments,
  deleteServer,
  putPending,
  putServer,
  type StoredServer,
} from './server-documents';
import { createServerLogins } from './server-logins';
import { describePending, digestOf, toView } from './server-view';

export interface McpServersPorts {
  readonly tenant: string;
  readonly documents: TenantDocuments;
  readonly secrets: SecretBox;
  readonly registry: Pick<ToolRegistry, 'changeRemoteTools'>;
  readonly connect: Connect;
  /** Sends the requests of logins. */
  readonly fetch: CheckedFetch;
  readonly logger: Pick<Logger, 'warn'>;
  readonly maxServers: number;
  /** Whether addresses that callers name may be private ones. */
  readonly allowPrivate: boolean;
  /** Whether servers may be commands. */
  readonly allowCommands: boolean;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  /** Notes work that a stopping process has to wait for. */
  readonly inBackground: (work: Promise<unknown>) => void;
  /** Epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** The remote servers, and for calls of their tools how to reach each. */
export interface McpServers extends RemoteServers {
  /** How to reach a server; undefined if it does not exist. A stale list is read again in the background. */
  access(name: string): Promise<ServerAccess | undefined>;
}

/** How long other processes leave a list to the one that reads it, milliseconds: more than the limit of a listing. */
const REFRESH_CLAIM_MS = 30_000;
/** A list that could not be read is not read again on its own for this time, milliseconds. */
const AWAY_RETRY_MS = 60_000;
/** The number of tools that cannot be used in one log line. */
const MAX_LOGGED = 10;

export function createMcpServers(ports: McpServersPorts): McpServers {
  const { tenant, registry, connect, fetch, maxServers, allowPrivate, stopping, inBackground } = ports;
  const { now = Date.now } = ports;
  const documents = createServerDocuments(ports.documents, ports.secrets, tenant);
  const change = createChangeServer(documents, registry);
  const logins = createLogins({
    documents: createLoginDocuments(ports.documents, ports.secrets, tenant),
    inBackground,
    now,
  });
  const serverLogins = createServerLogins({ documents, logins, connect, fetch, stopping });
  const loginOf = async (server: StoredServer): Promise<StoredLogin | undefined> =>
    hasLogin(server) ? (await logins.findEach([server])).get(server.name) : undefined;
  const accessOf = (server: StoredServer): ServerAccess => {
    const access = documents.access(server);
    return 'command' in access || !hasLogin(server) ? access : { ...access, login: logins.of(server) };
  };
  const listingOf = async (name: string, access: ServerAccess): Promise<Listing> => {
    const listing = await listTools(connect, name, { ...access, prior: undefined }, stopping);
    noteSkipped(ports.logger, name, listing);
    return listing;
  };

  async function find(name: string): Promise<StoredServer> {
    const document = await documents.find(name);
    if (document === undefined) throw unknownServer(name);
    return document.value;
  }

  /** Adds the descriptions of the tools that wait. @throws HoldfastError `MCP_SERVER_NOT_FOUND` if it was removed meanwhile */
  async function viewOf(server: StoredServer): Promise<McpServerView> {
    let seen = server;
    return untilNoConflict('the MCP servers', async () => {
      const login = await loginOf(seen);
      if (seen.pending.length === 0) return toView(seen, login);
      const waiting = describePending(seen.pending, await documents.pending(seen.name));
      if (waiting !== undefined) return toView(seen, login, waiting);
      // A listing was written between the two reads.
      seen = await find(seen.name);
      return CONFLICT;
    });
  }

  async function add({ name, ...settings }: NewMcpServer): Promise<McpServerView> {
    const { allow, toolTimeoutMs, approval = 'planned' } = settings;
    const target = checkTarget(settings);
    checkAllowed(target);
    await checkNumber(name);
    const isLoggedInLater = !('command' in target) && target.auth !== undefined;
    const added: StoredServer = {
      name,
      id: newId(),
      ...documents.seal(name, target, allowPrivate),
      allow,
      toolTimeoutMs,
      approval,
      addedAt: new Date(now()).toISOString(),
      ...{ tools: [], pending: [], skipped: [] },
      // It is listed by its first login.
      staleAt: Number.MAX_SAFE_INTEGER,
    };
    const { server, put: taken } = isLoggedInLater
      ? { server: added, put: [] }
      : await takeTools(added, target);
    const put = taken.map((remote) => toRegistration(name, remote, server));
    await untilNoConflict('the MCP servers', async () => {
      const before = await documents.find(name);
      const removed = before?.value.tools.map((tool) => tool.name) ?? [];
      const done = await registry.changeRemoteTools(name, { put, remove: removed }, async () => {
        const seen = await documents.find(name);
        const isSame = seen?.version === before?.version && seen?.value.id === before?.value.id;
        if (!isSame) return undefined;
        return [
          putServer(server, before?.version ?? 0),
          putPending(name, []),
          ...(before === undefined ? [] : [deleteLogin(before.value)]),
          ...(isLoggedInLater ? [putNewLogin(server)] : []),
        ];
      });
      return done ? true : CONFLICT;
    });
    return viewOf(server);
  }

  async function takeTools(added: StoredServer, target: HttpTarget | CommandTarget): Promise<FirstListing> {
    const listing = await listingOf(added.name, { ...target, owner: { tenant }, allowPrivate });
    const missing = added.allow?.find((tool) => listing.tools.every((listed) => listed.tool !== tool));
    if (missing !== undefined) throw validationError('allow', `the server has no tool "${missing}"`);
    return takeFirstListing(added, listing, now());
  }

  /** A command runs on the machine of the service, so only those who run the service may name one. */
  function checkAllowed(target: HttpTarget | CommandTarget): void {
    if (!('command' in target)) return;
    if (ports.tenant !== DEFAULT_TENANT) {
      throw accessDenied(`Only servers of the tenant ${DEFAULT_TENANT} may be commands`);
    }
    if (!ports.allowCommands) {
      throw accessDenied(
        'Servers may not be commands here; an operator has to set MCP_STDIO=yes for APIs and workers',
      );
    }
  }

  async function checkNumber(name: string): Promise<void> {
    const all = await documents.list();
    if (all.length < maxServers || all.some(({ key }) => key === name)) return;
    throw validationError(
      'name',
      `There are ${maxServers} servers already, as many as MCP_MAX_SERVERS allows; remove one or raise the setting`,
    );
  }

  /** Lists the tools of a server and notes what is new, or that it is away. */
  async function refresh(seen: StoredServer): Promise<StoredServer> {
    let listing: Listing;
    try {
      listing = await listingOf(seen.name, accessOf(seen));
    } catch (error) {
      stopping.throwIfAborted();
      const reason = messageOf(error);
      return change(seen, (current) => {
        const { refreshingUntil: _, ...rest } = current;
        const since = current.away?.since ?? new Date(now()).toISOString();
        return { server: { ...rest, away: { since, reason }, staleAt: now() + AWAY_RETRY_MS } };
      });
    }
    return change(seen, (current) =>
      current.listedAt === undefined
        ? takeFirstListing(current, listing, now())
        : applyListing(current, listing, now()),
    );
  }

  /** Reads a stale list again, in one process at a time. The caller does not wait for it. */
  function refreshStale(server: StoredServer): void {
    const at = now();
    const isDue = ({ staleAt, refreshingUntil = 0 }: StoredServer): boolean =>
      at >= staleAt && at >= refreshingUntil;
    if (!isDue(server) || stopping.aborted) return;
    const work = async (): Promise<void> => {
      const document = await documents.find(server.name);
      if (document === undefined || !isDue(document.value)) return;
      const claimed = { ...document.value, refreshingUntil: at + REFRESH_CLAIM_MS };
      if (await documents.write([putServer(claimed, document.version)])) await refresh(claimed);
    };
    // The record says why a list could not be read. If the store is away, the next reader tries again.
    inBackground(work().catch(() => undefined));
  }

  return {
    add,
    async list() {
      const all = (await documents.list()).map(({ value }) => value);
      all.forEach(refreshStale);
      const loginsByName = await logins.findEach(all.filter(hasLogin));
      return all.map((server) => toView(server, loginsByName.get(server.name)));
    },
    async get(name) {
      const server = await find(name);
      refreshStale(server);
      return viewOf(server);
    },
    async remove(name) {
      const done = await untilNoConflict('the MCP servers', async () => {
        const document = await documents.find(name);
        if (document === undefined) return false;
        const removed = document.value.tools.map((tool) => tool.name);
        const isCurrent = async () =>
          (await documents.find(name))?.version === document.version
            ? deleteServer(document.value, document.version)
            : undefined;
        const written = await registry.changeRemoteTools(name, { put: [], remove: removed }, isCurrent);
        return written ? true : CONFLICT;
      });
      if (!done) throw unknownServer(name);
    },
    refresh: async (name) => viewOf(await refresh(await find(name))),
    async confirm(name, digest) {
      const seen = await find(name);
      const definitions = await documents.pending(name);
      const confirmed = await change(seen, (current) => {
        const { pending } = current;
        if (digest !== undefined && digest !== digestOf(pending)) throw changedMeanwhile();
        const byDigest = new Map(definitions.map((remote) => [remote.digest, remote]));
        const put = pending.map((tool) => byDigest.get(tool.digest));
        // The definitions were read before the record, so a listing between the two is a change as well.
        if (put.includes(undefined)) throw changedMeanwhile();
        const taken = new Set(pending.map(({ tool }) => tool));
        const tools = [
          ...current.tools.filter(({ tool }) => !taken.has(tool)),
          ...pending.map(({ name: used, tool, digest: by }) => ({ name: used, tool, digest: by })),
        ];
        return {
          server: { ...current, tools, pending: [] },
          pending: [],
          put: put.filter((remote) => remote !== undefined),
        };
      });
      return viewOf(confirmed);
    },
    beginLogin: async (name, toReturn) => serverLogins.begin(await find(name), toReturn),
    async finishLogin({ name, server: id, id: login }, answer) {
      const server = await find(name);
      if (server.id !== id) throw unknownServer(name);
      await serverLogins.finish(server, login, answer);
      return viewOf(await refresh(server));
    },
    async access(name) {
      const document = await documents.find(name);
      if (document === undefined) return undefined;
      refreshStale(document.value);
      return accessOf(document.value);
    },
  };
}

function hasLogin(server: StoredServer): boolean {
  return !('command' in server) && server.auth !== undefined;
}

/** Logs which tools of a server are left out. Their names are the server's own, so their number in a line is limited. */
function noteSkipped(logger: Pick<Logger, 'warn'>, server: string, { skipped }: Listing): void {
  if (skipped.length === 0) return;
  const context = { server, count: skipped.length, skipped: skipped.slice(0, MAX_LOGGED) };
  logger.warn(context, 'tools of an MCP server cannot be used');
}

function accessDenied(message: string): HoldfastError {
  return new HoldfastError('ACCESS_DENIED', message);
}

function changedMeanwhile(): HoldfastError {
  return validationError(
    'digest',
    'is not that of the pending tools any more; read the server again and confirm those',
  );
}
