import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { MemoryFilters, MemoryScope } from '../../src/stores/memory/search';
import { TIME, add, atAngle, episodic, pinSpace, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

export function describeFilters(harness: () => MemoryGraphHarness): void {
  describe('filters', () => {
    let graph: MemoryGraph;
    let names: Map<string, string>;
    let spaceId: number;

    beforeEach(async () => {
      graph = harness().connect();
      names = new Map();
      const vector = await pinSpace(graph);
      spaceId = vector(0).spaceId;
      const nodes = {
        early: episodic({ timestamp: TIME, weight: 0, labels: ['x'] }),
        middle: episodic({ timestamp: TIME + 1, weight: 0.3, labels: ['x', 'y'], sessionId: 't' }),
        late: episodic({ timestamp: TIME + 2, weight: 1, labels: ['Y'] }),
        bare: episodic({ timestamp: TIME + 3, weight: 0.7, sessionId: 't' }),
        foreign: episodic({ timestamp: TIME + 1, weight: 0.3, labels: ['x', 'y'], userId: 'bob' }),
        fact: semantic({ timestamp: TIME + 1, weight: 0.3, labels: ['x'] }),
      };
      for (const [name, node] of Object.entries(nodes)) {
        names.set(node.id, name);
        await add(graph, node, { vector: vector(names.size) });
      }
    });

    const ways: [string, (scope: MemoryScope) => Promise<{ id: string }[]>][] = [
      ['list', (scope) => graph.list({ ...scope, order: 'oldest-first', limit: 10 })],
      ['text search', (scope) => graph.searchText({ ...scope, text: 'park', limit: 10 })],
      ['vector search', (scope) => graph.searchVectors({ ...scope, spaceId, vector: atAngle(0), limit: 10 })],
    ];

    const cases: [string, MemoryFilters, string[]][] = [
      ['nothing', {}, ['bare', 'early', 'late', 'middle']],
      ['a session', { sessionId: 't' }, ['bare', 'middle']],
      ['a session that is not there', { sessionId: 'u' }, []],
      ['a start', { from: TIME + 1 }, ['bare', 'late', 'middle']],
      ['an end', { to: TIME + 1 }, ['early', 'middle']],
      ['one moment', { from: TIME + 1, to: TIME + 1 }, ['middle']],
      ['an end before the start', { from: TIME + 2, to: TIME + 1 }, []],
      ['a label', { anyLabel: ['y'] }, ['middle']],
      ['the case of labels', { anyLabel: ['Y'] }, ['late']],
      ['any of several labels', { anyLabel: ['x', 'y', 'Y', 'none'] }, ['early', 'late', 'middle']],
      ['no label at all', { anyLabel: [] }, []],
      ['a label that nobody has', { anyLabel: ['none', ''] }, []],
      ['a least weight', { minWeight: 0.3 }, ['bare', 'late', 'middle']],
      ['a greatest weight', { maxWeight: 0.3 }, ['early', 'middle']],
      ['one weight', { minWeight: 1, maxWeight: 1 }, ['late']],
      ['no weight', { minWeight: 0, maxWeight: 0 }, ['early']],
      [
        'all at once',
        { sessionId: 't', from: TIME, to: TIME + 9, anyLabel: ['x'], minWeight: 0.1 },
        ['middle'],
      ],
      ['all at once, one too many', { sessionId: 't', from: TIME, anyLabel: ['x'], maxWeight: 0.1 }, []],
    ];

    it.each(ways)('hold in a %s', async (_way, search) => {
      for (const [what, filters, expected] of cases) {
        const found = await search(scopeOf('episodic', { filters }));
        expect([what, found.map(({ id }) => names.get(id)).sort()]).toEqual([what, expected]);
      }
      const facts = await search(scopeOf('semantic', { filters: { from: TIME, anyLabel: ['x'] } }));
      expect(facts.map(({ id }) => names.get(id))).toEqual(['fact']);
      expect(await search(scopeOf('semantic', { filters: { sessionId: 's' } }))).toEqual([]);
    });

    it('hold in a count', async () => {
      for (const [what, filters, expected] of cases) {
        expect([what, await graph.count(scopeOf('episodic', { filters }))]).toEqual([what, expected.length]);
      }
      expect(await graph.count(scopeOf('semantic'))).toBe(1);
      expect(await graph.count({ userId: 'bob', kind: 'episodic' })).toBe(1);
      expect(await graph.count({ userId: 'nobody', kind: 'episodic' })).toBe(0);
    });

    it.each(ways)('go by what an update left, in a %s', async (_way, search) => {
      const late = [...names].find(([, name]) => name === 'late')?.[0] ?? '';
      await graph.update(late, { labels: ['z'], weight: 0.2 });
      const ids = async (filters: MemoryFilters): Promise<(string | undefined)[]> =>
        (await search(scopeOf('episodic', { filters }))).map(({ id }) => names.get(id));
      expect(await ids({ anyLabel: ['z'] })).toEqual(['late']);
      expect(await ids({ anyLabel: ['Y'] })).toEqual([]);
      expect(await ids({ minWeight: 0.2, maxWeight: 0.2 })).toEqual(['late']);
      expect(await ids({ minWeight: 1 })).toEqual([]);
    });
  });
}
