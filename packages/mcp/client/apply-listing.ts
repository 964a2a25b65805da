import type { Listing } from './list-tools';
import type { RemoteTool } from './remote-tool';
import type { StoredServer, WaitingTool } from './server-documents';
import { registryName } from './tool-names';

/** What a new listing changes. */
export interface ListingChange {
  readonly server: StoredServer;
  /** Definitions that wait to be confirmed. */
  readonly pending: readonly RemoteTool[];
  /** Names of tools that the server does not have any more. */
  readonly gone: readonly string[];
}

/**
 * Compares a listing with the tools in use. Tools that are gone leave at once; those that are new or changed wait until
 * a person confirms them, and a changed one is used by its former definition until then. Pure.
 */
export function applyListing(stored: StoredServer, listing: Listing, now: number): ListingChange {
  const { allow } = stored;
  const listed = listing.tools.filter(({ tool }) => allow?.includes(tool) !== false);
  const inUse = new Map(stored.tools.map((used) => [used.tool, used]));
  const present = new Set(listed.map(({ tool }) => tool));
  const pending = listed.filter(({ tool, digest }) => inUse.get(tool)?.digest !== digest);
  const { away: _, refreshingUntil: __, ...rest } = stored;
  return {
    server: {
      ...rest,
      ...described(listing, now),
      tools: stored.tools.filter(({ tool }) => present.has(tool)),
      pending: pending.map(({ tool, digest }): WaitingTool => ({
        name: registryName(stored.name, tool),
        tool,
        digest,
        change: inUse.has(tool) ? 'changed' : 'new',
      })),
    },
    pending,
    gone: stored.tools.filter(({ tool }) => !present.has(tool)).map(({ name }) => name),
  };
}

/** What a first listing makes of a server. */
export interface FirstListing {
  readonly server: StoredServer;
  readonly put: readonly RemoteTool[];
}

/** Takes all tools of a first listing into use, for which a person has asked by adding the server or logging in at it. Pure. */
export function takeFirstListing(stored: StoredServer, listing: Listing, now: number): FirstListing {
  const { allow, name: server } = stored;
  const put = listing.tools.filter(({ tool }) => allow?.includes(tool) !== false);
  const { away: _, refreshingUntil: __, ...rest } = stored;
  const tools = put.map(({ tool, digest }) => ({ name: registryName(server, tool), tool, digest }));
  return { server: { ...rest, ...described(listing, now), tools }, put };
}

/** What the record of a server says of its latest listing. Pure. */
function described(
  { protocol, discover, skipped, ttlMs }: Listing,
  now: number,
): Pick<StoredServer, 'protocol' | 'discover' | 'skipped' | 'listedAt' | 'staleAt'> {
  return {
    protocol,
    discover,
    skipped,
    listedAt: new Date(now).toISOString(),
    staleAt: now + ttlMs,
  };
}
