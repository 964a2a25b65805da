import { HoldfastError, messageOf, validationError } from '../base/errors';
import { newId } from '../base/ids';
import type { Logger } from '../base/logger';
import type { McpServerView, NewMcpServer } from '../contracts/http/mcp-servers';
import { DEFAULT_TENANT } from '../contracts/tenants';
import type { SecretBox } from '../secrets/secret-box';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { TenantDocuments } from '../stores/documents';
import type { ToolRegistry } from '../tools/registry';
import { applyListing, described } from './apply-listing';
import { checkTarget, type CommandTarget, type HttpTarget } from './check-target';
import type { Connect, ServerAccess } from './connect';
import { listTools, type Listing } from './list-tools';
import { toRegistration, type RemoteTool } from './remote-tool';
import {
  createServerDocuments,
  deleteServer,
  putPending,
  putServer,
  type StoredServer,
} from './server-documents';
import { describePending, digestOf, toView } from './server-view';
import { registryName } from './tool-names';

export interface McpServersPorts {
  readonly tenant: string;
  readonly documents: TenantDocuments;
  readonly secrets: SecretBox;
  readonly registry: Pick<ToolRegistry, 'changeRemoteTools'>;
  readonly connect: Connect;
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

/** The remote MCP servers of a tenant. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface McpServers {
  /**
   * Adds a server or replaces that of the same name, and registers its tools, which confirms them.
   * @throws HoldfastError `VALIDATION`; `ACCESS_DENIED` for a command that is not allowed; `MCP_SERVER_UNAVAILABLE` where its
   * tools cannot be listed
   */
  add(server: NewMcpServer): Promise<McpServerView>;
  /**
   * All servers by name, without the descriptions of tools that wait, which may be megabytes for each server. Lists that are stale
   * are read again in the background.
   */
  list(): Promise<McpServerView[]>;
  /** As `list`, for one. @throws HoldfastError `MCP_SERVER_NOT_FOUND` */
  get(name: string): Promise<McpServerView>;
  /** Removes a server and its tools. @throws HoldfastError `MCP_SERVER_NOT_FOUND` */
  remove(name: string): Promise<void>;
  /** Lists the tools of a server now. One that cannot be reached is away. @throws HoldfastError `MCP_SERVER_NOT_FOUND` */
  refresh(name: string): Promise<McpServerView>;
  /**
   * Takes the new and changed tools into use.
   * @param digest that of the list that the caller has read; another list by now is refused
   * @throws HoldfastError `MCP_SERVER_NOT_FOUND`, `VALIDATION`
   */
  confirm(name: string, digest?: string): Promise<McpServerView>;
  /** How to reach a server; undefined where it does not exist. A stale list is read again in the background. */
  access(name: string): Promise<ServerAccess | undefined>;
}

/** How long other processes leave a list to the one that reads it, milliseconds: more than the limit of a listing. */
const REFRESH_CLAIM_MS = 30_000;
/** A list that could not be read is not read again on its own for this time, milliseconds. */
const AWAY_RETRY_MS = 60_000;
/** The number of tools that cannot be used in one log line. */
const MAX_LOGGED = 10;

export function createMcpServers(ports: McpServersPorts): McpServers {
  const { tenant, registry, connect, maxServers, allowPrivate, stopping, now = Date.now } = ports;
  const documents = createServerDocuments(ports.documents, ports.secrets, ports.tenant);
  const listingOf = async (name: string, access: ServerAccess): Promise<Listing> => {
    const listing = await listTools(connect, name, { ...access, prior: undefined }, stopping);
    noteSkipped(ports.logger, name, listing);
    return listing;
  };

  async function find(name: string): Promise<StoredServer> {
    const found = await documents.find(name);
    if (found === undefined) throw unknownServer(name);
    return found.value;
  }

  /** Adds the descriptions of the tools that wait. @throws HoldfastError `MCP_SERVER_NOT_FOUND` where it was removed meanwhile */
  async function viewOf(server: StoredServer): Promise<McpServerView> {
    let seen = server;
    return untilNoConflict('the MCP servers', async () => {
      if (seen.pending.length === 0) return toView(seen);
      const waiting = describePending(seen.pending, await documents.pending(seen.name));
      if (waiting !== undefined) return toView(seen, waiting);
      // A listing was written between the two reads.
      seen = await find(seen.name);
      return CONFLICT;
    });
  }

  async function add({ name, ...asked }: NewMcpServer): Promise<McpServerView> {
    const { allow, toolTimeoutMs, approval = 'planned' } = asked;
    const target = checkTarget(asked);
    checkAllowed(target);
    await checkNumber(name);
    const listing = await listingOf(name, { ...target, owner: { tenant }, allowPrivate });
    const missing = allow?.find((tool) => listing.tools.every((listed) => listed.tool !== tool));
    if (missing !== undefined) throw validationError('allow', `the server has no tool "${missing}"`);
    const taken = listing.tools.filter(({ tool }) => allow?.includes(tool) !== false);
    const server: StoredServer = {
      name,
      id: newId(),
      ...documents.seal(name, target, allowPrivate),
      ...(allow === undefined ? {} : { allow }),
      ...(toolTimeoutMs === undefined ? {} : { toolTimeoutMs }),
      approval,
      addedAt: new Date(now()).toISOString(),
      ...described(listing, now()),
      tools: taken.map((remote) => toUsed(name, remote)),
      pending: [],
    };
    const put = taken.map((remote) => toRegistration(name, remote, server));
    await untilNoConflict('the MCP servers', async () => {
      const before = await documents.find(name);
      const removed = before?.value.tools.map((tool) => tool.name) ?? [];
      const done = await registry.changeRemoteTools(name, { put, remove: removed }, async () => {
        const seen = await documents.find(name);
        const isSame = seen?.version === before?.version && seen?.value.id === before?.value.id;
        return isSame ? [putServer(server, before?.version ?? 0), putPending(name, [])] : undefined;
      });
      return done ? true : CONFLICT;
    });
    return toView(server);
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
      listing = await listingOf(seen.name, documents.access(seen));
    } catch (error) {
      stopping.throwIfAborted();
      const reason = messageOf(error);
      return change(seen, (current) => {
        const { refreshingUntil: _, ...kept } = current;
        const since = current.away?.since ?? new Date(now()).toISOString();
        return { server: { ...kept, away: { since, reason }, staleAt: now() + AWAY_RETRY_MS } };
      });
    }
    return change(seen, (current) => applyListing(current, listing, now()));
  }

  /** Changes the record of a server, unless it was removed or added anew since it was seen. */
  async function change(
    { name, id }: StoredServer,
    next: (current: StoredServer) => {
      readonly server: StoredServer;
      readonly pending?: readonly RemoteTool[];
      readonly gone?: readonly string[];
      readonly put?: readonly RemoteTool[];
    },
  ): Promise<StoredServer> {
    return untilNoConflict('the MCP servers', async () => {
      const found = await documents.find(name);
      if (found?.value.id !== id) throw unknownServer(name);
      const { server, pending, gone = [], put = [] } = next(found.value);
      const writes = [
        putServer(server, found.version),
        ...(pending === undefined ? [] : [putPending(name, pending)]),
      ];
      if (gone.length === 0 && put.length === 0) return (await documents.write(writes)) ? server : CONFLICT;
      const registrations = put.map((remote) => toRegistration(name, remote, server));
      const isCurrent = async (): Promise<typeof writes | undefined> =>
        (await documents.find(name))?.version === found.version ? writes : undefined;
      const done = await registry.changeRemoteTools(name, { put: registrations, remove: gone }, isCurrent);
      return done ? server : CONFLICT;
    });
  }

  /** Reads a stale list again, in one process at a time. The caller does not wait for it. */
  function refreshStale(server: StoredServer): void {
    const at = now();
    const isDue = ({ staleAt, refreshingUntil = 0 }: StoredServer): boolean =>
      at >= staleAt && at >= refreshingUntil;
    if (!isDue(server) || stopping.aborted) return;
    const work = async (): Promise<void> => {
      const found = await documents.find(server.name);
      if (found === undefined || !isDue(found.value)) return;
      const claimed = { ...found.value, refreshingUntil: at + REFRESH_CLAIM_MS };
      if (await documents.write([putServer(claimed, found.version)])) await refresh(claimed);
    };
    // The record says why a list could not be read. Where the store is away, the next reader tries again.
    ports.inBackground(work().catch(() => undefined));
  }

  return {
    add,
    async list() {
      const all = (await documents.list()).map(({ value }) => value);
      all.forEach(refreshStale);
      return all.map((server) => toView(server));
    },
    async get(name) {
      const server = await find(name);
      refreshStale(server);
      return viewOf(server);
    },
    async remove(name) {
      const done = await untilNoConflict('the MCP servers', async () => {
        const found = await documents.find(name);
        if (found === undefined) return false;
        const removed = found.value.tools.map((tool) => tool.name);
        const isCurrent = async () =>
          (await documents.find(name))?.version === found.version
            ? deleteServer(name, found.version)
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
      return toView(confirmed);
    },
    async access(name) {
      const found = await documents.find(name);
      if (found === undefined) return undefined;
      refreshStale(found.value);
      return documents.access(found.value);
    },
  };
}

function toUsed(server: string, { tool, digest }: RemoteTool): StoredServer['tools'][number] {
  return { name: registryName(server, tool), tool, digest };
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

function unknownServer(name: string): HoldfastError {
  return new HoldfastError('MCP_SERVER_NOT_FOUND', `There is no MCP server named "${name}"`);
}

function changedMeanwhile(): HoldfastError {
  return validationError(
    'digest',
    'is not that of the pending tools any more; read the server again and confirm those',
  );
}
