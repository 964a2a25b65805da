import { setImmediate as nextIteration } from 'node:timers/promises';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { ListPosition, MemoryScope } from '../../stores/memory/search';

/** Number of memories in one read: few, so that no page blocks the event loop for long, and enough for a round trip. */
const PAGE = 500;
/** How long memories are processed without yielding the event loop, milliseconds. */
const SLICE_MS = 8;

/** Calls `look` with up to `max` latest memories of a scope, the latest first, and yields the event loop in between. */
export async function forEachLatest(
  graph: Pick<UserMemories, 'list'>,
  scope: MemoryScope,
  max: number,
  look: (node: MemoryNode) => void,
): Promise<void> {
  let after: ListPosition | undefined;
  for (let left = max; left > 0; left -= PAGE) {
    const limit = Math.min(PAGE, left);
    const page = await graph.list({ ...scope, order: 'newest-first', limit, after });
    let sliceEnd = performance.now() + SLICE_MS;
    for (const node of page) {
      look(node);
      if (performance.now() < sliceEnd) continue;
      await nextIteration();
      sliceEnd = performance.now() + SLICE_MS;
    }
    after = page.at(-1);
    if (page.length < limit) return;
  }
}
