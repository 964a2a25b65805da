import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErasedCounts, MemoryGraph } from '../../src/stores/memory/memory-graph';
import { TIME, add, addAll, chain, episodic, pinSpace, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const ERASING = { code: 'MEMORY_ERASING' };

/** Erases until nothing is left and adds up the reported counts. */
export async function eraseAll(graph: MemoryGraph, userId: string, step = 3): Promise<ErasedCounts> {
  const sum = { episodic: 0, semantic: 0, relations: 0 };
  for (;;) {
    const part = await graph.eraseSome(userId, step);
    expect(part.episodic + part.semantic).toBeLessThanOrEqual(step);
    sum.episodic += part.episodic;
    sum.semantic += part.semantic;
    sum.relations += part.relations;
    if (part.episodic + part.semantic === 0) return sum;
  }
}

export function describeErasure(harness: () => MemoryGraphHarness): void {
  describe('erasure', () => {
    let graph: MemoryGraph;
    beforeEach(() => {
      graph = harness().connect();
    });

    it('takes everything of one user, in steps, and nothing of another', async () => {
      const vector = await pinSpace(graph);
      const nodes = [
        ...Array.from({ length: 7 }, (_, index) => episodic({ sessionId: `s${index % 2}`, labels: ['x'] })),
        ...Array.from({ length: 5 }, () => semantic()),
      ];
      for (const node of nodes) await add(graph, node, { vector: vector(0) });
      const ids = nodes.map(({ id }) => id);
      const relations = ids.slice(1, 4).map((id) => ({ type: 'related', direction: 'out', id }) as const);
      await graph.update(ids[0] ?? '', { relations });
      const others = [episodic({ userId: 'bob' }), semantic({ userId: 'bob' }), episodic({ userId: 'bob' })];
      for (const node of others) await add(graph, node, { vector: vector(0) });

      await graph.beginErasure('ann');
      await harness().connect().beginErasure('ann');
      expect(await eraseAll(graph, 'ann')).toEqual({ episodic: 7, semantic: 5, relations: 3 });
      await graph.endErasure('ann');
      await graph.endErasure('ann');

      expect((await graph.getMany(ids)).size).toBe(0);
      expect((await graph.relatedOfMany(ids)).size).toBe(0);
      for (const kind of ['episodic', 'semantic'] as const) {
        const { spaceId, values } = vector(0);
        expect(await graph.count(scopeOf(kind))).toBe(0);
        expect(await graph.searchText({ ...scopeOf(kind), text: 'park', limit: 5 })).toEqual([]);
        expect(await graph.searchVectors({ ...scopeOf(kind), spaceId, vector: values, limit: 5 })).toEqual(
          [],
        );
        expect(await graph.listUsers(kind, { limit: 5 })).toEqual(['bob']);
      }
      expect((await graph.stats('ann')).categories).toEqual([]);
      expect((await graph.getMany(others.map(({ id }) => id))).size).toBe(3);
      expect(await chain(graph, others[0]?.id ?? '')).toEqual([others[0]?.id, others[2]?.id]);
      expect(
        await graph.searchText({ ...scopeOf('episodic'), userId: 'bob', text: 'park', limit: 5 }),
      ).toHaveLength(2);
    });

    it('refuses changes until it ends, and reads go on', async () => {
      const [id] = (await addAll(graph, [episodic()])) as [string];
      await graph.beginErasure('ann');
      await graph.beginErasure('new');
      const other = harness().connect();
      await expect(add(other, episodic())).rejects.toMatchObject(ERASING);
      await expect(add(other, semantic({ userId: 'new' }))).rejects.toMatchObject(ERASING);
      await expect(graph.update(id, { weight: 1 })).rejects.toMatchObject(ERASING);
      await expect(graph.delete(id)).rejects.toMatchObject(ERASING);
      await graph.noteReads([{ id, count: 1, at: TIME }]);
      expect(await other.get(id)).toMatchObject({ weight: 0.5 });
      await add(graph, episodic({ userId: 'bob' }));
      await eraseAll(graph, 'ann');
      await expect(add(other, episodic())).rejects.toMatchObject(ERASING);
      await graph.endErasure('ann');
      await add(other, episodic());
      await expect(add(other, episodic({ userId: 'new' }))).rejects.toMatchObject(ERASING);
      await graph.endErasure('new');
      await add(other, episodic({ userId: 'new' }));
      expect(await graph.count(scopeOf('episodic'))).toBe(1);
    });

    it('keeps the order of a session that is erased in part', async () => {
      const ids = await addAll(
        graph,
        Array.from({ length: 9 }, () => episodic()),
      );
      await graph.beginErasure('ann');
      while ((await graph.eraseSome('ann', 2)).episodic > 0) {
        const left = [...(await graph.getMany(ids)).keys()];
        const first = left[0];
        if (first !== undefined) expect((await chain(graph, first)).sort()).toEqual(left.sort());
      }
      await graph.endErasure('ann');
    });

    it('is no trouble for a user who has nothing', async () => {
      await graph.beginErasure('nobody');
      expect(await eraseAll(graph, 'nobody')).toEqual({ episodic: 0, semantic: 0, relations: 0 });
      await graph.endErasure('nobody');
      await graph.endErasure('somebody else');
      expect(await graph.listUsers('episodic', { limit: 5 })).toEqual([]);
    });

    it('gives the quota back', async () => {
      await addAll(graph, [episodic(), episodic()]);
      await graph.beginErasure('ann');
      await eraseAll(graph, 'ann');
      await graph.endErasure('ann');
      await graph.insert({ node: episodic(), vector: null }, { quota: 1 });
    });

    it('leaves nothing of a write that races with it', async () => {
      const writers = Array.from({ length: 4 }, () => harness().connect());
      let erased = false;
      const write = async (writer: MemoryGraph): Promise<number> => {
        for (let done = 0; ; done += 1) {
          await nextTurn();
          const node = done % 2 === 0 ? episodic() : semantic();
          const refusal = await add(writer, node).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (refusal === undefined) continue;
          expect(refusal).toMatchObject(ERASING);
          if (erased) return done;
        }
      };
      const erase = async (): Promise<void> => {
        while ((await graph.count(scopeOf('semantic'))) < 5) await nextTurn();
        await graph.beginErasure('ann');
        await eraseAll(graph, 'ann', 50);
        erased = true;
      };
      await Promise.all([erase(), ...writers.map(write)]);
      expect(await graph.count(scopeOf('episodic'))).toBe(0);
      expect(await graph.count(scopeOf('semantic'))).toBe(0);
      expect(await graph.eraseSome('ann', 10)).toEqual({ episodic: 0, semantic: 0, relations: 0 });
      await graph.endErasure('ann');
    });
  });
}
