import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { TIME, addAll, episodic, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const NONE = { count: 0, oldest: null, newest: null };

export function describeStatistics(harness: () => MemoryGraphHarness): void {
  describe('statistics', () => {
    let graph: MemoryGraph;
    beforeEach(() => {
      graph = harness().connect();
    });

    it('are those of one user', async () => {
      const nodes = [
        episodic({ timestamp: TIME + 5, labels: ['a tag'] }),
        episodic({ timestamp: TIME - 5 }),
        semantic({ timestamp: TIME, labels: ['z'] }),
        semantic({ timestamp: TIME + 1, labels: ['Z'] }),
        semantic({ timestamp: TIME + 1, labels: ['z'] }),
        semantic({ timestamp: TIME + 9, labels: ['b'], userId: 'bob' }),
      ];
      const [first] = await addAll(graph, nodes);
      expect(await graph.stats('ann')).toEqual({
        episodic: { count: 2, oldest: TIME - 5, newest: TIME + 5 },
        semantic: { count: 3, oldest: TIME, newest: TIME + 1 },
        categories: ['Z', 'z'],
      });
      expect(await graph.stats('bob')).toEqual({
        episodic: NONE,
        semantic: { count: 1, oldest: TIME + 9, newest: TIME + 9 },
        categories: ['b'],
      });
      expect(await graph.stats('nobody')).toEqual({ episodic: NONE, semantic: NONE, categories: [] });
      await graph.delete(first ?? '');
      expect((await harness().connect().stats('ann')).episodic).toEqual({
        count: 1,
        oldest: TIME - 5,
        newest: TIME - 5,
      });
    });

    it('order categories by code unit', async () => {
      const ordered = ['', '\0', ' ', '10', '9', 'A', 'a', 'é', '한', '\u{1F600}', '\uFF5E'];
      await addAll(
        graph,
        [...ordered].reverse().map((label) => semantic({ labels: [label] })),
      );
      expect((await graph.stats('ann')).categories).toEqual(ordered);
    });

    it('list the sessions of a user, page by page', async () => {
      const names = ['B', 'a', 'aa', 'é', '\u{1F600}', '\uFF5E'];
      await addAll(
        graph,
        [...names].reverse().map((sessionId) => episodic({ sessionId })),
      );
      const [early] = await addAll(graph, [
        episodic({ sessionId: 'a', timestamp: -5 }),
        episodic({ sessionId: 'a', timestamp: TIME + 5 }),
        episodic({ sessionId: 'of another', userId: 'bob' }),
        semantic(),
      ]);
      const all = await graph.listSessions('ann', { limit: 100 });
      expect(all.map(({ sessionId }) => sessionId)).toEqual(names);
      expect(all.slice(0, 2)).toEqual([
        { sessionId: 'B', memories: 1, first: TIME, last: TIME },
        { sessionId: 'a', memories: 3, first: -5, last: TIME + 5 },
      ]);
      expect(await graph.listSessions('ann', { limit: 2 })).toEqual(all.slice(0, 2));
      expect(await graph.listSessions('ann', { after: 'aa', limit: 2 })).toEqual(all.slice(3, 5));
      expect(await graph.listSessions('ann', { after: 'ab', limit: 1 })).toEqual(all.slice(3, 4));
      expect(await graph.listSessions('nobody', { limit: 5 })).toEqual([]);
      await graph.delete(early ?? '');
      const [of] = await graph.listSessions('ann', { after: 'B', limit: 1 });
      expect(of).toEqual({ sessionId: 'a', memories: 2, first: TIME, last: TIME + 5 });
      const [only] = await graph.list({ userId: 'bob', kind: 'episodic', order: 'oldest-first', limit: 1 });
      await graph.delete(only?.id ?? '');
      expect(await graph.listSessions('bob', { limit: 5 })).toEqual([]);
    });

    it('list users with memories of a kind, page by page', async () => {
      const users = ['B', 'a', 'aa', 'é', '\u{1F600}', '\uFF5E'];
      await addAll(
        graph,
        [...users].reverse().flatMap((userId) => [episodic({ userId }), episodic({ userId })]),
      );
      const [fact] = await addAll(graph, [semantic({ userId: 'only facts' })]);
      expect(await graph.listUsers('episodic', { limit: 100 })).toEqual(users);
      expect(await graph.listUsers('episodic', { limit: 2 })).toEqual(users.slice(0, 2));
      expect(await graph.listUsers('episodic', { after: 'aa', limit: 2 })).toEqual(users.slice(3, 5));
      expect(await graph.listUsers('episodic', { after: 'ab', limit: 1 })).toEqual(users.slice(3, 4));
      expect(await graph.listUsers('semantic', { limit: 100 })).toEqual(['only facts']);
      await graph.delete(fact ?? '');
      expect(await graph.listUsers('semantic', { limit: 100 })).toEqual([]);
    });
  });
}
