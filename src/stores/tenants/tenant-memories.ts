import type { MemoryGraph, UserMemories } from '../memory/memory-graph';
import type { MemoryNode } from '../memory/node';
import type { MemoryScope } from '../memory/search';
import type { VectorIndex } from '../memory/vector-index';
import { firstStoredUser, storedUser, userOfTenant } from './tenant-names';

/**
 * Limits a graph to the memories of a tenant's users. A memory of another tenant does not exist for it, whatever its id. The
 * names of users are those that the tenant uses.
 */
export function tenantMemories(graph: UserMemories, tenant: string): UserMemories {
  const asStored = <T extends { readonly userId: string }>(query: T): T => ({
    ...query,
    userId: storedUser(tenant, query.userId),
  });
  const stored = (userId: string): string => storedUser(tenant, userId);

  function shown(node: MemoryNode | undefined): MemoryNode | undefined {
    const userId = node && userOfTenant(tenant, node.userId);
    return node === undefined || userId === undefined ? undefined : { ...node, userId };
  }
  const allShown = (nodes: readonly MemoryNode[]): MemoryNode[] => nodes.flatMap((node) => shown(node) ?? []);
  /** The user of a memory never changes, so a check before an operation holds during it. */
  const isOwn = async (id: string): Promise<boolean> => shown(await graph.get(id)) !== undefined;

  // All functions are async, because a name of a user that is refused has to reject like any other error of the port.
  return {
    async insert(memory, options) {
      const node = await graph.insert({ ...memory, node: asStored(memory.node) }, options);
      return { ...node, userId: memory.node.userId };
    },
    get: async (id) => shown(await graph.get(id)),
    async getMany(ids) {
      const nodes = allShown([...(await graph.getMany(ids)).values()]);
      return new Map(nodes.map((node) => [node.id, node]));
    },
    update: async (id, change, options) =>
      (await isOwn(id)) ? shown(await graph.update(id, change, options)) : undefined,
    delete: async (id, options) => ((await isOwn(id)) ? shown(await graph.delete(id, options)) : undefined),
    // Callers pass ids of memories that they were given, and memories of one user are related only to each other.
    related: (id) => graph.related(id),
    relatedOfMany: (ids) => graph.relatedOfMany(ids),
    neighbours: (ids) => graph.neighbours(ids),
    list: async (query) => allShown(await graph.list(asStored(query))),
    searchText: async (query) => graph.searchText(asStored(query)),
    searchVectors: async (query) => graph.searchVectors(asStored(query)),
    count: async (scope: MemoryScope) => graph.count(asStored(scope)),
    stats: async (userId) => graph.stats(stored(userId)),
    listSessions: async (userId, page) => graph.listSessions(stored(userId), page),
    noteReads: (notes) => graph.noteReads(notes),
    beginErasure: async (userId) => graph.beginErasure(stored(userId)),
    eraseSome: async (userId, limit) => graph.eraseSome(stored(userId), limit),
    endErasure: async (userId) => graph.endErasure(stored(userId)),
  };
}

/**
 * Creates the list of a tenant's users who have memories of a kind, in ascending order of code units, by the names that the tenant
 * uses.
 */
export function tenantUsers(
  graph: Pick<MemoryGraph, 'listUsers'>,
  tenant: string,
): Pick<MemoryGraph, 'listUsers'> {
  return {
    async listUsers(kind, { after, limit }) {
      const from = after === undefined ? firstStoredUser(tenant) : storedUser(tenant, after);
      const users = await graph.listUsers(kind, { after: from, limit });
      // The users of a tenant follow each other, so the first one of another tenant ends the list.
      const userIds = users.map((stored) => userOfTenant(tenant, stored));
      const end = userIds.indexOf(undefined);
      return userIds.slice(0, end === -1 ? userIds.length : end).filter((userId) => userId !== undefined);
    },
  };
}

/** The operations of an index of vectors for a tenant's users; their vectors get into the index by the graph's outbox. */
export type UserVectors = Pick<VectorIndex, 'search' | 'removeUser'>;

/** Limits an index of vectors to those of a tenant's users. */
export function tenantVectors(index: UserVectors, tenant: string): UserVectors {
  return {
    search: async (query, signal) =>
      index.search({ ...query, userId: storedUser(tenant, query.userId) }, signal),
    removeUser: async (spaceId, userId, signal) =>
      index.removeUser(spaceId, storedUser(tenant, userId), signal),
  };
}
