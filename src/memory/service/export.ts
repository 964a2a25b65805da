import type { ExportedMemory } from '../../contracts/http/memory';
import type { UserMemories } from '../../stores/memory/memory-graph';
import { MEMORY_KINDS, type MemoryKind, type MemoryNode } from '../../stores/memory/node';
import type { ListPosition } from '../../stores/memory/search';
import { presentMemories } from '../nodes/list-except';

/**
 * Exports all memories of a user, episodic ones first, each kind the oldest first, with the `end` after the last. Every
 * memory that was acknowledged before the caller asked for the first item, and is not deleted meanwhile, is in it
 * exactly once. It counts no reads and holds one page at a time.
 */
export type MemoryExport = (userId: string, signal: AbortSignal) => AsyncGenerator<ExportedMemory>;

/** Number of memories in one read. One may be as long as a request body. */
const PAGE = 100;

export function createMemoryExport(graph: Pick<UserMemories, 'list' | 'relatedOfMany'>): MemoryExport {
  /** Finds the newest memory of a kind. The export ends there, however fast callers create others meanwhile. */
  async function findLast(userId: string, kind: MemoryKind): Promise<ListPosition | undefined> {
    const [newest] = await graph.list({ userId, kind, order: 'newest-first', limit: 1 });
    return newest;
  }

  async function* readPages(
    userId: string,
    kind: MemoryKind,
    last: ListPosition | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<MemoryNode[]> {
    let after: ListPosition | undefined;
    while (last !== undefined) {
      signal.throwIfAborted();
      const nodes = await graph.list({ userId, kind, order: 'oldest-first', limit: PAGE, after });
      const page = nodes.filter((node) => !isBehind(node, last));
      if (page.length > 0) yield page;
      after = page.at(-1);
      if (page.length < PAGE) return;
    }
  }

  return async function* exportAll(userId, signal) {
    const last = await Promise.all(MEMORY_KINDS.map((kind) => findLast(userId, kind)));
    const count = { episodic: 0, semantic: 0 };
    for (const [at, kind] of MEMORY_KINDS.entries()) {
      for await (const page of readPages(userId, kind, last[at], signal)) {
        for (const memory of await presentMemories(graph, kind, page)) {
          count[kind] += 1;
          yield { kind, ...memory } as ExportedMemory;
        }
      }
    }
    yield { kind: 'end', ...count };
  };
}

/** Whether a memory comes after the last one, in the order of the list. */
function isBehind(node: ListPosition, last: ListPosition): boolean {
  return node.timestamp > last.timestamp || (node.timestamp === last.timestamp && node.id > last.id);
}
