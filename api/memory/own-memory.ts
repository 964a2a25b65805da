import type { OpensMemory } from '../../src/memory/create-memory-system';
import { memoryNotFound } from '../../src/memory/nodes/node-access';

/** What the routes of memories need: those of the caller's tenant. */
export interface MemoryServices {
  readonly memory: OpensMemory;
}

/**
 * Creates the check of routes whose path has the id of a memory: for a caller of one user, memories of others do not exist.
 * @param name the parameter of the path with the id
 */
export function ofOwnMemory<N extends 'id' | 'memoryId'>(name: N) {
  return async (
    { params }: { readonly params: Readonly<Record<N, string>> },
    userId: string,
    { memory }: MemoryServices,
  ): Promise<void> => {
    const id = params[name];
    const { graph } = await memory.open();
    if ((await graph.get(id))?.userId !== userId) throw memoryNotFound(id);
  };
}
