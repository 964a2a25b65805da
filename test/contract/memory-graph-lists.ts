import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { NewMemoryNode } from '../../src/stores/memory/node';
import { type ListPosition, type ListQuery, MAX_MEMORY_LIMIT } from '../../src/stores/memory/search';
import { TIME, add, addAll, episodic, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

/** In ascending order of time, then id. */
function inOrder(nodes: readonly NewMemoryNode[]): string[] {
  const compare = (x: NewMemoryNode, y: NewMemoryNode): number =>
    x.timestamp - y.timestamp || (x.id < y.id ? -1 : 1);
  return [...nodes].sort(compare).map(({ id }) => id);
}

export function describeMemoryLists(harness: () => MemoryGraphHarness): void {
  describe('lists', () => {
    let graph: MemoryGraph;
    beforeEach(() => {
      graph = harness().connect();
    });

    const list = (rest: Partial<ListQuery> = {}): Promise<string[]> =>
      graph
        .list({ ...scopeOf('episodic'), order: 'oldest-first', limit: 100, ...rest })
        .then((nodes) => nodes.map(({ id }) => id));

    /** Reads page after page; `between` runs after each. */
    const pages = async (rest: Partial<ListQuery>, between?: () => Promise<unknown>): Promise<string[]> => {
      const ids: string[] = [];
      for (let after: ListPosition | undefined; ;) {
        const query = { ...scopeOf('episodic'), order: 'oldest-first', ...rest } as const;
        const page = await graph.list({ limit: 3, ...query, ...(after && { after }) });
        ids.push(...page.map(({ id }) => id));
        const last = page.at(-1);
        if (last === undefined) return ids;
        after = { timestamp: last.timestamp, id: last.id };
        await between?.();
      }
    };

    it('goes by time, then id, either way', async () => {
      const times = [5, 1, 3, 3, 3, -2, 0];
      const nodes = times.map((time) => episodic({ timestamp: TIME + time }));
      await addAll(graph, [...nodes].reverse());
      const expected = inOrder(nodes);
      expect(await list()).toEqual(expected);
      expect(await list({ order: 'newest-first' })).toEqual([...expected].reverse());
      expect(await list({ limit: 3 })).toEqual(expected.slice(0, 3));
      expect(await list({ limit: 0 })).toEqual([]);
      expect(await pages({})).toEqual(expected);
      expect(await pages({ order: 'newest-first', limit: 2 })).toEqual([...expected].reverse());
    });

    it('begins at an offset, either way', async () => {
      const nodes = [5, 1, 3, 3, 3, -2, 0].map((time) => episodic({ timestamp: TIME + time, labels: ['x'] }));
      await addAll(graph, nodes);
      await addAll(graph, [
        episodic({ timestamp: TIME - 9 }),
        episodic({ sessionId: 'other', labels: ['x'] }),
      ]);
      const filters = { sessionId: 's', anyLabel: ['x'] };
      const expected = inOrder(nodes);
      for (const offset of [0, 1, 3, 6]) {
        expect(await list({ filters, offset, limit: 2 })).toEqual(expected.slice(offset, offset + 2));
        expect(await list({ filters, offset, order: 'newest-first' })).toEqual(
          [...expected].reverse().slice(offset),
        );
      }
      expect(await list({ filters, offset: 7 })).toEqual([]);
      expect(await list({ filters, offset: Number.MAX_SAFE_INTEGER })).toEqual([]);
      const after = { timestamp: TIME + 1, id: expected[2]! };
      expect(await list({ filters, after, offset: 2 })).toEqual(expected.slice(5));
    });

    it('keeps users and kinds apart', async () => {
      const nodes = [episodic(), semantic(), episodic({ userId: 'Ann' }), semantic({ userId: 'bob' })];
      await addAll(graph, nodes);
      for (const { id, userId, kind } of nodes) expect(await list({ userId, kind })).toEqual([id]);
      expect(await list({ userId: 'nobody' })).toEqual([]);
    });

    it('pages on while memories are added and taken away', async () => {
      const nodes = Array.from({ length: 10 }, (_, index) => episodic({ timestamp: TIME + index * 10 }));
      await addAll(graph, nodes);
      const added: string[] = [];
      const seen = await pages({}, async () => {
        const node = episodic({ timestamp: TIME - 1 });
        added.push(node.id);
        await add(graph, node);
      });
      expect(seen).toEqual(inOrder(nodes));
      expect(await list()).toEqual([...added.sort(), ...inOrder(nodes)]);
      const later = await pages({ order: 'newest-first', limit: 4 }, async () => {
        const [newest] = await list({ order: 'newest-first', limit: 1 });
        await graph.delete(newest ?? '');
      });
      expect(later.slice(0, 10)).toEqual(inOrder(nodes).reverse());
    });

    it('goes on behind a place whose memory is gone', async () => {
      const nodes = [1, 2, 3].map((time) => episodic({ timestamp: TIME + time }));
      const [first, second, third] = (await addAll(graph, nodes)) as [string, string, string];
      await graph.delete(second);
      const after = { timestamp: TIME + 2, id: second };
      expect(await list({ after })).toEqual([third]);
      expect(await list({ after, order: 'newest-first' })).toEqual([first]);
      expect(await list({ after: { timestamp: TIME + 9, id: '' } })).toEqual([]);
    });

    it('shows each memory whole', async () => {
      const node = episodic({ labels: ['x', 'y'], body: { a: { b: 1 } } });
      await add(graph, node);
      await graph.noteReads([{ id: node.id, count: 1, at: TIME }]);
      const query = { ...scopeOf('episodic'), order: 'newest-first', limit: 1 } as const;
      expect(await graph.list(query)).toEqual([{ ...node, revision: 1, readCount: 1, readAt: TIME }]);
    });

    it('returns no more than the cap', async () => {
      expect(MAX_MEMORY_LIMIT).toBe(1_000);
      await addAll(graph, [episodic(), episodic()]);
      expect(await list({ limit: Number.MAX_SAFE_INTEGER })).toHaveLength(2);
    });
  });
}
