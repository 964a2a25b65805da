import { HoldfastError } from '../../base/errors';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { InsertMemory, MemoryChange, MemoryKind, MemoryNode } from '../../stores/memory/node';
import type { OpenSpaces } from '../vectors/vector-spaces';

export interface NodeAccessPorts {
  readonly graph: MemoryGraph;
  readonly spaces: OpenSpaces;
  /** Most memories of a kind that a user may have; absent: no bound. */
  readonly quota?: number | undefined;
}

/** What is done alike to the nodes of either kind. All methods throw what the graph and the embedder throw. */
export interface NodeAccess {
  /** Embeds and inserts. @throws HoldfastError `VALIDATION`, `MEMORY_QUOTA`, `MEMORY_ERASING` */
  insert(memory: Omit<InsertMemory, 'vector'>): Promise<MemoryNode>;
  /** @throws HoldfastError `MEMORY_NOT_FOUND`, also for a memory of the other kind */
  find(id: string): Promise<MemoryNode>;
  /**
   * Changes what `changeOf` makes of the memory as it is, once more where somebody else was first; embeds it where
   * `isEmbedded` says so.
   * @throws HoldfastError `MEMORY_NOT_FOUND`, `VALIDATION`
   */
  update(
    id: string,
    changeOf: (before: MemoryNode) => Promise<MemoryChange> | MemoryChange,
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
    update: (id, changeOf, isEmbedded) =>
      untilNoConflict(`the memory ${id}`, async () => {
        const before = await find(id);
        const change = await changeOf(before);
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
