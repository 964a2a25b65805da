import type { DocumentStore } from '../../stores/documents';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import { MEMORY_KINDS } from '../../stores/memory/node';
import type { VectorIndex } from '../../stores/memory/vector-index';

export interface FormerVectorsPorts {
  readonly documents: Pick<DocumentStore, 'get' | 'write'>;
  readonly graph: Pick<MemoryGraph, 'vectorSpaces' | 'listUsers'>;
  readonly index: VectorIndex;
  /** Names these stores among all that the service has used. */
  readonly place: string;
  /** Most users of a kind whose vectors one round takes away. */
  readonly limit: number;
}

/** Takes out of an index what the embedding models before the current one have left there. */
export interface FormerVectors {
  /**
   * May be repeated, broken off anywhere, and run by several processes at once.
   * @returns of how many users vectors were taken away
   */
  round(signal?: AbortSignal): Promise<number>;
}

interface Progress {
  /** No space before this one has anything left. */
  readonly firstSpaceId: number;
}

const COLLECTION = 'former-vectors';

export function createFormerVectors({
  documents,
  graph,
  index,
  place,
  limit,
}: FormerVectorsPorts): FormerVectors {
  /** Users behind which a pass over a space goes on. In memory alone: a new process begins the space again. */
  let pass: { readonly spaceId: number; readonly after: Map<string, string> } | undefined;

  /** @returns how many users there were */
  async function removeSome(spaceId: number, signal?: AbortSignal): Promise<number> {
    if (pass?.spaceId !== spaceId) pass = { spaceId, after: new Map() };
    let removed = 0;
    for (const kind of MEMORY_KINDS) {
      const after = pass.after.get(kind);
      const users = await graph.listUsers(kind, { limit, after });
      for (const userId of users) {
        signal?.throwIfAborted();
        await index.removeUser(spaceId, userId, signal);
        pass.after.set(kind, userId);
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
      // No search reads it from the moment on in which another one is the current one.
      if (spaceId >= current.id) return 0;
      const removed = await removeSome(spaceId, signal);
      if (removed > 0) return removed;
      const value: Progress = { firstSpaceId: spaceId + 1 };
      await documents.write([{ type: 'put', collection: COLLECTION, key: place, value }]);
      return 0;
    },
  };
}
