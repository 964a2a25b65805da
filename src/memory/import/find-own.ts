import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryKind } from '../../stores/memory/node';
import type { ImportedIds } from './ids';

/** A memory by the id that a line names. */
export interface WantedMemory {
  readonly id: string;
  /** Absent: of either kind. */
  readonly kind?: MemoryKind;
}

/** Whole memories that one read has in memory. */
const PAGE = 100;
const KINDS: readonly MemoryKind[] = ['episodic', 'semantic'];

/**
 * Finds the memories of a user that lines name, by the ids that the lines have. The id of the memory is another one if that of
 * the line was taken when it was imported.
 */
export async function findOwn(
  {
    graph,
    ids,
  }: { readonly graph: Pick<UserMemories, 'getMany'>; readonly ids: Pick<ImportedIds, 'inPlaceOf'> },
  userId: string,
  wanted: readonly WantedMemory[],
): Promise<Map<string, string>> {
  // One that was renamed is preferred, because its own id may have become free since.
  const candidates = wanted.flatMap(({ id, kind }) => [
    ...(kind === undefined ? KINDS : [kind]).map((of) => ({
      id,
      kind: of,
      as: ids.inPlaceOf(userId, of, id),
    })),
    { id, kind, as: id },
  ]);
  const own = new Map<string, string>();
  for (let start = 0; start < candidates.length; start += PAGE) {
    const page = candidates.slice(start, start + PAGE);
    const nodes = await graph.getMany([...new Set(page.map(({ as }) => as))]);
    for (const { id, kind, as } of page) {
      const node = nodes.get(as);
      const isOwn = node?.userId === userId && (kind === undefined || node.kind === kind);
      if (isOwn && !own.has(id)) own.set(id, as);
    }
  }
  return own;
}
