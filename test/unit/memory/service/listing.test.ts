import { createMemoryListing } from '../../../../src/memory/service/listing';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { MAX_MEMORY_LIMIT } from '../../../../src/stores/memory/search';
import { TIME, episodic } from '../../../contract/support/memories';

/** A store of this number of memories. Like all stores it never lists more than its limit at a time. */
function listingOf(total: number) {
  const nodes = Array.from({ length: total }, (_, n): MemoryNode => {
    const body = { content: `memory ${n}`, context: {}, metadata: {} };
    return { ...episodic({ timestamp: TIME + n, body }), revision: 1, readCount: 0, readAt: null };
  });
  return createMemoryListing({
    list: ({ after, limit }) => {
      const behind = nodes.filter(({ timestamp }) => timestamp > (after?.timestamp ?? 0));
      return Promise.resolve(behind.slice(0, Math.min(limit, MAX_MEMORY_LIMIT)));
    },
    relatedOfMany: () => Promise.resolve(new Map()),
  });
}

test('pages as long as a store lists at once, and longer ones, still lead to the next', async () => {
  const listing = listingOf(2_500);
  for (const limit of [MAX_MEMORY_LIMIT, 10 * MAX_MEMORY_LIMIT]) {
    const query = { userId: 'ann', kind: 'episodic', order: 'oldest-first', limit } as const;
    const ids = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await listing.page({ ...query, cursor });
      for (const { id } of page.memories) ids.add(id);
      cursor = page.next;
    } while (cursor !== undefined);
    expect(ids.size).toBe(2_500);
  }
});
