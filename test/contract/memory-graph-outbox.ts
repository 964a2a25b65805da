import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { SpaceVector } from '../../src/stores/memory/node';
import { add, atAngle, episodic, pinSpace, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

export function describeOutbox(harness: () => MemoryGraphHarness): void {
  describe('vectors kept elsewhere', () => {
    let graph: MemoryGraph;
    let vector: (degrees: number) => SpaceVector;
    beforeEach(async () => {
      graph = harness().connect({ vectorsElsewhere: true });
      vector = await pinSpace(graph);
    });

    const held = async (limit = 10): Promise<string[]> =>
      (await graph.listPendingVectors(limit)).map(({ node }) => node.id);
    const addFacts = async (count: number, userId = 'ann'): Promise<string[]> => {
      const nodes = Array.from({ length: count }, () => semantic({ userId }));
      for (const [index, node] of nodes.entries()) await add(graph, node, { vector: vector(index) });
      return nodes.map(({ id }) => id);
    };

    it('are held until they are released, the longest held first', async () => {
      const ids = (await addFacts(3)) as [string, string, string];
      await add(graph, episodic(), { vector: vector(0) });
      await add(graph, semantic());
      expect(await held()).toEqual(ids);
      expect(await held(2)).toEqual(ids.slice(0, 2));
      expect(await held(0)).toEqual([]);
      const [first] = await harness().connect({ vectorsElsewhere: true }).listPendingVectors(1);
      expect(first?.node).toEqual(await graph.get(ids[0]));
      expect(first?.vector.spaceId).toBe(vector(0).spaceId);
      expect([...(first?.vector.values ?? [])]).toEqual([...atAngle(0)]);
      const { spaceId } = vector(0);
      expect(await graph.releaseVectors([{ id: ids[1], spaceId, revision: 1 }])).toBe(1);
      expect(await graph.releaseVectors([{ id: ids[1], spaceId, revision: 1 }])).toBe(0);
      expect(await held()).toEqual([ids[0], ids[2]]);
      expect(await graph.get(ids[1])).toMatchObject({ revision: 1 });
    });

    it('are found here as long as they are held', async () => {
      const [first, second] = (await addFacts(2)) as [string, string];
      const { spaceId, values } = vector(0);
      await graph.releaseVectors([{ id: first, spaceId, revision: 1 }]);
      const hits = await graph.searchVectors({ ...scopeOf('semantic'), spaceId, vector: values, limit: 5 });
      expect(hits.map(({ id }) => id)).toEqual([second]);
    });

    it('are held on where the memory has another revision, or the space is another one', async () => {
      const [id] = (await addFacts(1)) as [string];
      const { spaceId } = vector(0);
      await graph.update(id, { text: 'changed', vector: vector(90) });
      expect(await graph.releaseVectors([{ id, spaceId, revision: 1 }])).toBe(0);
      expect(await graph.releaseVectors([{ id, spaceId: spaceId + 1, revision: 2 }])).toBe(0);
      expect((await graph.listPendingVectors(5)).map(({ node }) => node.revision)).toEqual([2]);
      expect(await graph.releaseVectors([{ id, spaceId, revision: 2 }])).toBe(1);
      await graph.update(id, { weight: 0.9 });
      expect(await held()).toEqual([]);
      await graph.update(id, { text: 'changed again', vector: vector(45) });
      expect(await held()).toEqual([id]);
    });

    it('count as there when a space is filled', async () => {
      const [first, second] = (await addFacts(2)) as [string, string];
      const { spaceId } = vector(0);
      await graph.releaseVectors([{ id: first, spaceId, revision: 1 }]);
      expect(await graph.listWithoutVector(spaceId, { limit: 5 })).toEqual([]);
      const next = await graph.openNextVectorSpace('test/other', 2);
      const values = new Float32Array([1, 0]);
      const updates = [first, second].map((id) => ({
        id,
        revision: 1,
        vector: { spaceId: next.id, values },
      }));
      expect(await graph.putVectors(updates)).toBe(2);
      expect(await graph.listPendingVectors(5)).toHaveLength(3);
      await graph.releaseVectors([{ id: first, spaceId: next.id, revision: 1 }]);
      expect(await graph.switchVectorSpace(next.id)).toBe(true);
      expect(await held()).toEqual([second]);
    });

    it('end in a space that is being filled when their memory changes, and leave it to be filled again', async () => {
      const [first, second] = (await addFacts(2)) as [string, string];
      const event = episodic();
      await add(graph, event, { vector: vector(0) });
      const next = await graph.openNextVectorSpace('test/other', 2);
      const put = (ids: readonly string[], revision: number): Promise<number> => {
        const inNext = { spaceId: next.id, values: new Float32Array([1, 0]) };
        return graph.putVectors(ids.map((id) => ({ id, revision, vector: inNext })));
      };
      const lacking = async (): Promise<string[]> =>
        (await graph.listWithoutVector(next.id, { limit: 5 })).map(({ id }) => id);
      expect(await put([first, second, event.id], 1)).toBe(3);
      await graph.releaseVectors([{ id: first, spaceId: next.id, revision: 1 }]);
      await graph.update(first, { labels: ['changed'], vector: vector(0) });
      await graph.update(event.id, { labels: ['changed'] });
      expect(await lacking()).toEqual([first]);
      expect(await graph.switchVectorSpace(next.id)).toBe(false);
      expect(await put([first], 2)).toBe(1);
      expect(await lacking()).toEqual([]);
      expect(await graph.switchVectorSpace(next.id)).toBe(true);
    });

    it('are dropped with their memory, held or released, until that is forgotten', async () => {
      const [first, second, third] = (await addFacts(3)) as [string, string, string];
      const { spaceId } = vector(0);
      await graph.releaseVectors([{ id: first, spaceId, revision: 1 }]);
      const event = episodic();
      const bare = semantic();
      await add(graph, event, { vector: vector(1) });
      await add(graph, bare);
      for (const id of [second, first, event.id, bare.id]) await graph.delete(id);
      const dropped = [second, first].map((id) => ({ id, userId: 'ann', spaceId }));
      expect(await graph.listTombstones(10)).toEqual(dropped);
      expect(await graph.listTombstones(1)).toEqual(dropped.slice(0, 1));
      await graph.deleteTombstones(dropped.slice(0, 1));
      await graph.deleteTombstones([{ id: third, userId: 'ann', spaceId }]);
      expect(await harness().connect({ vectorsElsewhere: true }).listTombstones(10)).toEqual(
        dropped.slice(1),
      );
      expect(await held()).toEqual([third]);
    });

    it('are let go, and not dropped, by a change that takes them away', async () => {
      const [id] = (await addFacts(1)) as [string];
      await graph.update(id, { vector: null });
      expect(await held()).toEqual([]);
      expect(await graph.listTombstones(10)).toEqual([]);
    });

    it('leave no note of a user who was erased', async () => {
      const [first] = (await addFacts(2)) as [string];
      await addFacts(1, 'bob');
      await graph.delete(first);
      await graph.beginErasure('ann');
      while ((await graph.eraseSome('ann', 10)).semantic > 0);
      await graph.endErasure('ann');
      expect(await graph.listTombstones(10)).toEqual([]);
      expect(await held()).toHaveLength(1);
    });

    it('are not noted by a graph that searches its own', async () => {
      const own = harness().connect();
      const [id] = (await addFacts(1)) as [string];
      await own.delete(id);
      expect(await own.listTombstones(10)).toEqual([]);
    });
  });
}
