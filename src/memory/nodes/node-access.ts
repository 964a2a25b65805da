import { HoldfastError } from '../../base/errors';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { InsertMemory, MemoryChange, MemoryKind, MemoryNode } from '../../stores/memory/node';
import type { OpenSpaces } from '../vectors/vector-spaces';

export interface NodeAccessPorts {
  readonly graph: UserMemories;
  readonly spaces: OpenSpaces;
  /** Maximum number of memories of each kind that a user may have; absent: no limit. */
  readonly quota?: number | undefined;
}

/** The operations that nodes of both kinds share. All methods throw what the graph and the embedder throw. */
export interface NodeAccess {
  /** Embeds and inserts. @throws HoldfastError `VALIDATION`, `MEMORY_QUOTA`, `MEMORY_ERASING` */
  insert(memory: Omit<InsertMemory, 'vector'>): Promise<MemoryNode>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND`, also for a memory of the other kind */
  find(id: string): Promise<MemoryNode>;
  /**
   * Applies the change that `buildChange` makes from the current memory, again if another caller changed the memory
   * in between. The memory is embedded if `isEmbedded` returns true.
   * @throws HoldfastError `MEMORY_NOT_FOUND`, `VALIDATION`
   */
  update(
    id: string,
    buildChange: (before: MemoryNode) => Promise<MemoryChange> | MemoryChange,
    isEmbedded: (before: MemoryNode, change: MemoryChange) => boolean,
  ): Promise<MemoryNode>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND` */
  delete(id: string): Promise<void>;
}

export function createNodeAccess(kind: MemoryKind, { graph, spaces, quota }: NodeAccessPorts): NodeAccess {
  async function find(id: string): Promise<MemoryNode> {
    const node = await graph.get(id);
    if (node?.kind !== kind) throw memoryNotFound(id);
    return node;
  }

  return {
    insert: (memory) =>
      spaces.use(async ({ space, embedder }) => {
        const [values] = await embedder.embed([memory.node.text]);
        const vector = values === undefined ? null : { spaceId: space.id, values };
        return graph.insert({ ...memory, vector }, quota === undefined ? {} : { quota });
      }),
    find,
    update: (id, buildChange, isEmbedded) =>
      untilNoConflict(`the memory ${id}`, async () => {
        const before = await find(id);
        const change = await buildChange(before);
        const updated = await spaces.use(async ({ space, embedder }) => {
          const [values] = isEmbedded(before, change)
            ? await embedder.embed([change.text ?? before.text])
            : [];
          const vector = values === undefined ? {} : { vector: { spaceId: space.id, values } };
          return graph.update(id, { ...change, ...vector }, { ifRevision: before.revision });
        });
        return updated ?? CONFLICT;
      }),
    async delete(id) {
      await find(id);
      if ((await graph.delete(id)) === undefined) throw memoryNotFound(id);
    },
  };
}

export function memoryNotFound(id: string): HoldfastError {
  return new HoldfastError('MEMORY_NOT_FOUND', `There is no memory "${id}"`);
}
