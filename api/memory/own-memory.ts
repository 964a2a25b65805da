import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { memoryNotFound } from '../../src/memory/nodes/node-access';

/**
 * Creates the check of routes whose path has the id of a memory: for a caller of one user, memories of others do not exist.
 * @param name the parameter of the path with the id
 */
export function ofOwnMemory<N extends 'id' | 'memoryId'>({ use }: MemoryStores, name: N) {
  return ({ params }: { readonly params: Readonly<Record<N, string>> }, userId: string): Promise<void> =>
    use(async ({ graph }) => {
      const id = params[name];
      if ((await graph.get(id))?.userId !== userId) throw memoryNotFound(id);
    });
}
