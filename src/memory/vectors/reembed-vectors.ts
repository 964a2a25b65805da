import { isHoldfastError } from '../../base/errors';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { VectorTombstone } from '../../stores/memory/vector-outbox';
import type { OpenSpaces } from './vector-spaces';

export interface ReembedVectorsPorts {
  readonly graph: Pick<MemoryGraph, 'get' | 'update' | 'vectorSpaces'>;
  readonly spaces: OpenSpaces;
}

/**
 * Embeds memories again, so that the graph has their vectors as pending ones, each with a new revision of its memory:
 * whatever the index shows by then is an earlier one. In a space that is being filled, the memory lacks its vector from
 * then on. Memories that were deleted or are being erased, and spaces that are not in use, are left out.
 * @returns the number of memories that were changed
 * @throws what graph and embedder throw
 */
export type ReembedVectors = (
  vectors: readonly Pick<VectorTombstone, 'id' | 'spaceId'>[],
  signal?: AbortSignal,
) => Promise<number>;

export function createReembedVectors({ graph, spaces }: ReembedVectorsPorts): ReembedVectors {
  const inCurrent = (id: string, signal?: AbortSignal): Promise<boolean> =>
    change(id, (node) =>
      spaces.use(async ({ space, embedder }) => {
        const [values] = await embedder.embed([node.text], signal);
        const vector = values === undefined ? {} : { vector: { spaceId: space.id, values } };
        return graph.update(node.id, vector, { ifRevision: node.revision });
      }),
    );

  /** Any change of a memory removes its vector from the next space. */
  const inNext = (id: string): Promise<boolean> =>
    change(id, ({ revision }) => graph.update(id, {}, { ifRevision: revision }));

  async function change(
    id: string,
    update: (node: MemoryNode) => Promise<MemoryNode | undefined>,
  ): Promise<boolean> {
    try {
      return await untilNoConflict(`the memory ${id}`, async () => {
        const node = await graph.get(id);
        return node === undefined ? false : (await update(node)) !== undefined || CONFLICT;
      });
    } catch (error) {
      if (isHoldfastError(error) && error.code === 'MEMORY_ERASING') return false;
      throw error;
    }
  }

  return async (vectors, signal) => {
    const { current, next } = await graph.vectorSpaces();
    let made = 0;
    for (const { id, spaceId } of vectors) {
      if (spaceId === current?.id && (await inCurrent(id, signal))) made += 1;
      if (spaceId === next?.id && (await inNext(id))) made += 1;
    }
    return made;
  };
}
