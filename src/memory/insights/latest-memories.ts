import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryNode } from '../../stores/memory/node';
import type { ListPosition, MemoryScope } from '../../stores/memory/search';

/** Read at once: few, so that no page holds the event loop for long, and enough to be worth the round trip. */
const PAGE = 500;
/** How long memories may be looked at without a pause, milliseconds. */
const SLICE_MS = 8;

/** Calls `look` with the latest `most` memories of a scope, the latest first, in slices that leave the event loop room. */
export async function forEachLatest(
  graph: Pick<MemoryGraph, 'list'>,
  scope: MemoryScope,
  most: number,
  look: (node: MemoryNode) => void,
): Promise<void> {
  let after: ListPosition | undefined;
  for (let left = most; left > 0; left -= PAGE) {
    const limit = Math.min(PAGE, left);
    const place = after === undefined ? {} : { after };
    const page = await graph.list({ ...scope, order: 'newest-first', limit, ...place });
    let sliceEnd = performance.now() + SLICE_MS;
    for (const node of page) {
      look(node);
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
    after = page.at(-1);
    if (page.length < limit) return;
  }
}
