import * as fc from 'fast-check';
import { toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import { listExcept } from '../../../../src/memory/nodes/list-except';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import type { ListQuery } from '../../../../src/stores/memory/search';

const nodeAt = (at: number): MemoryNode => ({
  ...toEpisodicNode({ userId: 'ada', sessionId: 's', content: 'x' }, { id: `m${at}`, timestamp: at }),
  revision: 1,
  readCount: 0,
  readAt: null,
});
/** Memories by their times, the latest first. */
const graphOf = (size: number) => ({
  list: ({ after, limit }: ListQuery): Promise<MemoryNode[]> =>
    Promise.resolve(
      Array.from({ length: size }, (_, at) => nodeAt(size - at))
        .filter(({ timestamp }) => after === undefined || timestamp < after.timestamp)
        .slice(0, limit),
    ),
});

test('a list has as many memories as there are, up to its limit, without those that are left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 350 }),
      fc.integer({ min: 0, max: 120 }),
      fc.integer({ min: 1, max: 40 }),
      async (size, limit, every) => {
        const except = ({ timestamp }: MemoryNode): boolean => timestamp % every !== 0;
        const query = { userId: 'ada', kind: 'episodic', order: 'newest-first', limit } as const;
        const all = await graphOf(size).list({ ...query, limit: size });
        expect(await listExcept(graphOf(size), query, except)).toEqual(
          all.filter((node) => !except(node)).slice(0, limit),
        );
      },
    ),
  );
});
