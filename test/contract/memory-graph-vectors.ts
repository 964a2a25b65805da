import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { NewMemoryNode, SpaceVector } from '../../src/stores/memory/node';
import type { SearchHit, VectorQuery } from '../../src/stores/memory/search';
import { DIMENSIONS, add, cosineOf, episodic, pinSpace, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

export function describeVectorSearch(harness: () => MemoryGraphHarness): void {
  describe('vector search', () => {
    let graph: MemoryGraph;
    let vector: (degrees: number) => SpaceVector;
    beforeEach(async () => {
      graph = harness().connect();
      vector = await pinSpace(graph);
    });

    const search = (degrees: number, rest: Partial<VectorQuery> = {}): Promise<SearchHit[]> => {
      const { spaceId, values } = vector(degrees);
      return graph.searchVectors({ ...scopeOf('episodic'), spaceId, vector: values, limit: 10, ...rest });
    };
    const addAt = async (degrees: number, node: NewMemoryNode = episodic()): Promise<string> => {
      await add(graph, node, { vector: vector(degrees) });
      return node.id;
    };

    it('finds the nearest first and tells their cosines', async () => {
      const angles = [90, 10, 180, 45, 350];
      const ids = new Map<number, string>();
      for (const angle of angles) ids.set(angle, await addAt(angle));
      const hits = await search(5);
      expect(hits.map(({ id }) => id)).toEqual([10, 350, 45, 90, 180].map((angle) => ids.get(angle)));
      const expected = [5, 15, 40, 85, 175].map(cosineOf);
      for (const [index, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[index] ?? 9, 4);
      expect((await search(45))[0]?.score).toBeLessThanOrEqual(1);
      expect((await search(45))[0]?.score).toBeCloseTo(1, 5);
      expect(await search(5, { limit: 2 })).toEqual(hits.slice(0, 2));
      expect(await search(5, { limit: 0 })).toEqual([]);
    });

    it('orders equals by id, however they were inserted', async () => {
      const nodes = Array.from({ length: 12 }, () => episodic());
      for (const node of [...nodes].reverse()) await addAt(30, node);
      const hits = await search(0, { limit: 7 });
      expect(hits.map(({ id }) => id)).toEqual(
        nodes
          .map(({ id }) => id)
          .sort()
          .slice(0, 7),
      );
      expect(await search(0, { limit: 7 })).toEqual(hits);
    });

    it('never leaves its user and kind', async () => {
      const nodes = [
        episodic(),
        episodic({ userId: 'bob' }),
        episodic({ userId: 'Ann' }),
        semantic(),
        semantic({ userId: 'bob' }),
      ];
      for (const node of nodes) await addAt(0, node);
      for (const { id, userId, kind } of nodes) {
        expect((await search(0, { userId, kind })).map((hit) => hit.id)).toEqual([id]);
      }
      expect(await search(0, { userId: 'nobody' })).toEqual([]);
    });

    it('passes over memories that have no vector', async () => {
      await add(graph, episodic());
      const id = await addAt(0);
      expect((await search(0)).map((hit) => hit.id)).toEqual([id]);
    });

    it('goes by the vector as it is now, seen from any process', async () => {
      const id = await addAt(0);
      const other = harness().connect();
      const score = async (): Promise<number | undefined> => {
        const { spaceId, values } = vector(0);
        const query = { ...scopeOf('episodic'), spaceId, vector: values, limit: 10 };
        return (await other.searchVectors(query)).find((hit) => hit.id === id)?.score;
      };
      expect(await score()).toBeCloseTo(1, 5);
      await graph.update(id, { text: 'changed', vector: vector(60) });
      expect(await score()).toBeCloseTo(0.5, 4);
      await graph.update(id, { weight: 0.1 });
      await graph.update(id, { text: 'changed' });
      expect(await score()).toBeCloseTo(0.5, 4);
      await graph.update(id, { text: 'changed again' });
      expect(await score()).toBeUndefined();
      await graph.update(id, { vector: vector(60) });
      expect(await score()).toBeCloseTo(0.5, 4);
      await graph.update(id, { vector: null });
      expect(await score()).toBeUndefined();
    });

    it('finds the few that pass a filter among many that do not', async () => {
      const nodes = Array.from({ length: 300 }, (_, index) =>
        episodic({ labels: index % 100 === 99 ? ['rare'] : [], sessionId: `s${index % 3}` }),
      );
      for (const [index, node] of nodes.entries()) await add(graph, node, { vector: vector(index / 2) });
      const rare = await search(0, { filters: { anyLabel: ['rare'] }, limit: 2 });
      expect(rare.map(({ id }) => id)).toEqual([nodes[99]?.id, nodes[199]?.id]);
      const none = await search(0, { filters: { anyLabel: ['rare'], sessionId: 's9' } });
      expect(none).toEqual([]);
      const session = await search(149.5, { filters: { sessionId: 's0' }, limit: 1 });
      expect(session.map(({ id }) => id)).toEqual([nodes[297]?.id]);
    });

    it('takes no vector of another length or space', async () => {
      const { spaceId } = vector(0);
      const long = { spaceId, values: new Float32Array(DIMENSIONS + 1).fill(1 / 3) };
      await expect(add(graph, episodic(), { vector: long })).rejects.toThrow(RangeError);
      await expect(search(0, { vector: long.values })).rejects.toThrow(RangeError);
      const changed = { code: 'VECTOR_SPACE_CHANGED', retryable: true };
      const node = episodic();
      const elsewhere = { spaceId: spaceId + 1, values: vector(0).values };
      await expect(add(graph, node, { vector: elsewhere })).rejects.toMatchObject(changed);
      expect(await graph.get(node.id)).toBeUndefined();
      await add(graph, node);
      const update = graph.update(node.id, { vector: elsewhere, weight: 1 });
      await expect(update).rejects.toMatchObject(changed);
      expect(await graph.get(node.id)).toMatchObject({ weight: 0.5, revision: 1 });
      await expect(search(0, { spaceId: spaceId + 1 })).rejects.toMatchObject(changed);
    });
  });
}
