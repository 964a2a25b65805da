import type { DocumentStore } from '../../stores/documents';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import { MEMORY_KINDS } from '../../stores/memory/node';
import type { VectorIndex } from '../../stores/memory/vector-index';

export interface StaleVectorCleanerPorts {
  readonly documents: Pick<DocumentStore, 'get' | 'write'>;
  readonly graph: Pick<MemoryGraph, 'vectorSpaces' | 'listUsers'>;
  readonly index: VectorIndex;
  /** The name of these stores among all that the service has used. */
  readonly place: string;
  /** The maximum number of users of each kind of memory whose vectors one round removes. */
  readonly limit: number;
}

/** Removes from an index the vectors that earlier embedding models left there. */
export interface StaleVectorCleaner {
  /**
   * A round may be repeated, interrupted at any point, and run by several processes at once.
   * @returns the number of users whose vectors were removed
   */
  round(signal?: AbortSignal): Promise<number>;
}

interface Progress {
  /** The index has no vectors of the spaces before this one. */
  readonly firstSpaceId: number;
}

const COLLECTION = 'former-vectors';

export function createStaleVectorCleaner({
  documents,
  graph,
  index,
  place,
  limit,
}: StaleVectorCleanerPorts): StaleVectorCleaner {
  /**
   * The last user done in the current space, by kind. It is kept in memory only, so a new process begins the space
   * again.
   */
  let progress: { readonly spaceId: number; readonly after: Map<string, string> } | undefined;

  /** @returns the number of users whose vectors were removed */
  async function removeSome(spaceId: number, signal?: AbortSignal): Promise<number> {
    if (progress?.spaceId !== spaceId) progress = { spaceId, after: new Map() };
    let removed = 0;
    for (const kind of MEMORY_KINDS) {
      const after = progress.after.get(kind);
      const users = await graph.listUsers(kind, { limit, after });
      for (const userId of users) {
        signal?.throwIfAborted();
        await index.removeUser(spaceId, userId, signal);
        progress.after.set(kind, userId);
        removed += 1;
      }
    }
    return removed;
  }

  return {
    async round(signal) {
      const { current } = await graph.vectorSpaces();
      if (current === null) return 0;
      const stored = await documents.get<Progress>(COLLECTION, place);
      const spaceId = stored?.value.firstSpaceId ?? 1;
      // No search reads a space once another one is current.
      if (spaceId >= current.id) return 0;
      const removed = await removeSome(spaceId, signal);
      if (removed > 0) return removed;
      const value: Progress = { firstSpaceId: spaceId + 1 };
      await documents.write([{ type: 'put', collection: COLLECTION, key: place, value }]);
      return 0;
    },
  };
}
