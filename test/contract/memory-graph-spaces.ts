import { setImmediate as nextTurn } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { VectorSpace } from '../../src/stores/memory/vector-spaces';
import {
  DIMENSIONS,
  MODEL,
  add,
  addAll,
  atAngle,
  episodic,
  pinSpace,
  scopeOf,
  semantic,
} from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const CHANGED = { code: 'VECTOR_SPACE_CHANGED', retryable: true };
const NEXT_MODEL = 'test/four';
const NEXT_DIMENSIONS = 4;
/** A vector of unit length in the next space. */
const VALUES = new Float32Array([0.5, 0.5, 0.5, -0.5]);

export function describeSpaces(harness: () => MemoryGraphHarness): void {
  describe('vector spaces', () => {
    let graph: MemoryGraph;
    beforeEach(() => {
      graph = harness().connect();
    });

    const openNext = (): Promise<VectorSpace> => graph.openNextVectorSpace(NEXT_MODEL, NEXT_DIMENSIONS);

    /** Gives a vector in the space to every memory that has none there. */
    const fill = async (spaceId: number, pageSize = 100): Promise<number> => {
      let put = 0;
      for (let after: string | undefined; ;) {
        const page = await graph.listWithoutVector(spaceId, { limit: pageSize, ...(after && { after }) });
        const vector = { spaceId, values: VALUES };
        put += await graph.putVectors(page.map(({ id, revision }) => ({ id, revision, vector })));
        after = page.at(-1)?.id;
        if (after === undefined) return put;
      }
    };
    const lacking = async (spaceId: number): Promise<string[]> =>
      (await graph.listWithoutVector(spaceId, { limit: 100 })).map(({ id }) => id);
    const near = async (spaceId: number, vector: Float32Array): Promise<string[]> =>
      (await graph.searchVectors({ ...scopeOf('episodic'), spaceId, vector, limit: 100 })).map(
        ({ id }) => id,
      );

    it('begin with none, and the first one pinned stays', async () => {
      expect(await graph.vectorSpaces()).toEqual({ current: null, next: null });
      const callers = Array.from({ length: 4 }, () => harness().connect());
      const pinned = await Promise.all(callers.map((caller, index) => caller.pinVectorSpace(`m${index}`, 3)));
      expect(new Set(pinned.map(({ id, model }) => `${id} ${model}`)).size).toBe(1);
      expect(pinned[0]).toMatchObject({ dimensions: 3 });
      expect(await graph.pinVectorSpace('another', 9)).toEqual(pinned[0]);
      expect(await graph.vectorSpaces()).toEqual({ current: pinned[0], next: null });
    });

    it('open a next one once, and another one in its place', async () => {
      const current = await graph.pinVectorSpace(MODEL, DIMENSIONS);
      const next = await openNext();
      expect(next).toMatchObject({ model: NEXT_MODEL, dimensions: NEXT_DIMENSIONS });
      expect(next.id).toBeGreaterThan(current.id);
      expect(await harness().connect().openNextVectorSpace(NEXT_MODEL, NEXT_DIMENSIONS)).toEqual(next);
      const other = await graph.openNextVectorSpace(NEXT_MODEL, 5);
      expect(other.id).toBeGreaterThan(next.id);
      expect(await graph.vectorSpaces()).toEqual({ current, next: other });
      await expect(graph.listWithoutVector(next.id, { limit: 1 })).rejects.toMatchObject(CHANGED);
    });

    it('list what lacks a vector, by id', async () => {
      const vector = await pinSpace(graph);
      const nodes = [episodic(), semantic(), episodic({ userId: 'bob' }), semantic(), episodic()];
      await addAll(graph, [...nodes].reverse());
      const with1 = episodic();
      await add(graph, with1, { vector: vector(1) });
      const { spaceId } = vector(0);
      const ids = nodes.map(({ id }) => id).sort();
      expect(await lacking(spaceId)).toEqual(ids);
      const page = await graph.listWithoutVector(spaceId, { after: ids[0] ?? '', limit: 2 });
      expect(page.map(({ id }) => id)).toEqual(ids.slice(1, 3));
      expect(page).toEqual(
        [...(await graph.getMany(ids.slice(1, 3))).values()].sort((x, y) => (x.id < y.id ? -1 : 1)),
      );
    });

    it('put vectors for the revision they were made from, and no other', async () => {
      const { id: spaceId } = await graph.pinVectorSpace(MODEL, DIMENSIONS);
      const [same, changed, gone] = (await addAll(graph, [episodic(), episodic(), episodic()])) as [
        string,
        string,
        string,
      ];
      await graph.update(changed, { text: 'changed' });
      await graph.delete(gone);
      const vector = { spaceId, values: atAngle(0) };
      const updates = [same, changed, gone, ulid()].map((id) => ({ id, revision: 1, vector }));
      expect(await graph.putVectors(updates)).toBe(1);
      expect(await graph.putVectors([])).toBe(0);
      expect(await lacking(spaceId)).toEqual([changed]);
      expect(await near(spaceId, atAngle(0))).toEqual([same]);
      expect(await graph.get(same)).toMatchObject({ revision: 1 });
      const unknown = [{ id: same, revision: 1, vector: { ...vector, spaceId: spaceId + 1 } }];
      await expect(graph.putVectors(unknown)).rejects.toMatchObject(CHANGED);
      const short = [{ id: same, revision: 1, vector: { spaceId, values: VALUES } }];
      await expect(graph.putVectors(short)).rejects.toThrow(RangeError);
    });

    it('move over while the current one is read and written', async () => {
      const vector = await pinSpace(graph);
      const before = episodic();
      await add(graph, before, { vector: vector(0) });
      const next = await openNext();
      const during = episodic();
      await add(graph, during, { vector: vector(90) });
      expect(await near(vector(0).spaceId, atAngle(0))).toEqual([before.id, during.id]);
      await expect(near(next.id, VALUES)).rejects.toMatchObject(CHANGED);
      expect(await graph.switchVectorSpace(next.id)).toBe(false);
      expect(await fill(next.id, 1)).toBe(2);
      expect(await graph.switchVectorSpace(next.id)).toBe(true);
      expect(await harness().connect().switchVectorSpace(next.id)).toBe(true);
      expect(await graph.vectorSpaces()).toEqual({ current: next, next: null });
      expect(await near(next.id, VALUES)).toEqual([before.id, during.id].sort());
      await expect(near(vector(0).spaceId, atAngle(0))).rejects.toMatchObject(CHANGED);
      await expect(add(graph, episodic(), { vector: vector(0) })).rejects.toMatchObject(CHANGED);
      await add(graph, episodic(), { vector: { spaceId: next.id, values: VALUES } });
    });

    it('leave memories that can be changed, deleted and erased when they are dropped', async () => {
      const vector = await pinSpace(graph);
      const nodes = Array.from({ length: 60 }, (_, index) => semantic({ userId: `user ${index % 20}` }));
      for (const node of nodes) await add(graph, node, { vector: vector(0) });
      const next = await openNext();
      await fill(next.id);
      expect(await graph.switchVectorSpace(next.id)).toBe(true);
      const values = VALUES;
      const [changed, weighed, deleted, left] = [0, 20, 40, 59].map((at) => nodes[at]?.id ?? '') as [
        string,
        string,
        string,
        string,
      ];
      await graph.update(changed, { text: 'changed', vector: { spaceId: next.id, values } });
      await graph.update(weighed, { weight: 0.9 });
      expect(await graph.delete(deleted)).toMatchObject({ id: deleted });
      for (let user = 1; user < 19; user += 1) {
        await graph.beginErasure(`user ${user}`);
        expect(await graph.eraseSome(`user ${user}`, 5)).toMatchObject({ semantic: 3 });
      }
      const query = { kind: 'semantic', spaceId: next.id, vector: values, limit: 9 } as const;
      const ids = async (userId: string): Promise<string[]> =>
        (await graph.searchVectors({ ...query, userId })).map(({ id }) => id);
      expect((await ids('user 0')).sort()).toEqual([changed, weighed].sort());
      expect(await ids('user 19')).toContain(left);
    });

    it('do not switch to one that is not there, or while a memory lacks a vector', async () => {
      const vector = await pinSpace(graph);
      const { spaceId } = vector(0);
      expect(await graph.switchVectorSpace(spaceId)).toBe(true);
      expect(await graph.switchVectorSpace(spaceId + 1)).toBe(false);
      const next = await openNext();
      const [first, second] = (await addAll(graph, [episodic(), semantic({ userId: 'bob' })])) as [
        string,
        string,
      ];
      await fill(next.id);
      await graph.update(first, { weight: 0.1 });
      expect(await lacking(next.id)).toEqual([]);
      await graph.update(first, { text: 'changed', vector: vector(0) });
      expect(await lacking(next.id)).toEqual([first]);
      expect(await graph.switchVectorSpace(next.id)).toBe(false);
      await graph.delete(second);
      await graph.delete(first);
      expect(await graph.switchVectorSpace(next.id)).toBe(true);
      expect(await graph.switchVectorSpace(spaceId)).toBe(false);
    });

    it('move over beside writers, with no memory left out', async () => {
      await pinSpace(graph);
      const writer = harness().connect();
      const next = await openNext();
      let switched = false;
      const written: string[] = [];
      const write = async (): Promise<void> => {
        for (let round = 1; round <= 60; round += 1) {
          const node = episodic();
          await add(writer, node);
          written.push(node.id);
          if (round % 3 === 0) await writer.update(node.id, { text: `changed ${round}` });
          if (round % 7 === 0) await writer.delete(written.pop() ?? '');
          await nextTurn();
        }
      };
      const move = async (): Promise<void> => {
        while (written.length < 15) await nextTurn();
        while (!switched) {
          await fill(next.id, 20);
          switched = await graph.switchVectorSpace(next.id);
        }
      };
      await Promise.all([write(), move()]);
      const missing = new Set(await lacking(next.id));
      const found = new Set(await near(next.id, VALUES));
      for (const id of written) expect([id, found.has(id)]).toEqual([id, !missing.has(id)]);
      expect(found.size + missing.size).toBe(written.length);
      expect(found.size).toBeGreaterThan(0);
    });
  });
}
