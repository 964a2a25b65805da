import type { VectorQuery } from '../../src/stores/memory/search';
import { entry, unit, type VectorIndexUnderTest } from './support/vector-index-harness';

const SPACE = 1;

export function describeVectorSearch(current: () => VectorIndexUnderTest): void {
  describe('search', () => {
    const query = (given: Partial<VectorQuery> = {}): VectorQuery => ({
      userId: 'ann',
      kind: 'semantic',
      spaceId: SPACE,
      vector: unit(1, 0, 0),
      limit: 10,
      ...given,
    });

    it('finds nothing where nothing was put', async () => {
      expect(await current().index.search(query())).toEqual([]);
    });

    it('answers the nearest first, with cosines', async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, [
        entry('opposite', { values: unit(-1, 0, 0) }),
        entry('same', { values: unit(1, 0, 0) }),
        entry('half', { values: unit(1, 1, 0) }),
        entry('across', { values: unit(0, 0, 1) }),
      ]);
      await harness.settle();
      expect(await index.search(query())).toEqual([
        { id: 'same', score: expect.closeTo(1, 5) },
        { id: 'half', score: expect.closeTo(Math.SQRT1_2, 5) },
        { id: 'across', score: expect.closeTo(0, 5) },
        { id: 'opposite', score: expect.closeTo(-1, 5) },
      ]);
    });

    it('keeps every cosine from -1 to 1', async () => {
      const { index, harness } = current();
      const directions = Array.from({ length: 200 }, (_, at) => unit(1 + at, 7 * at, at % 13));
      await index.upsert(
        SPACE,
        directions.map((values, at) => entry(`id-${at}`, { values })),
      );
      await harness.settle();
      for (const vector of directions.slice(0, 20)) {
        for (const { score } of await index.search(query({ vector, limit: 200 }))) {
          expect(Math.abs(score)).toBeLessThanOrEqual(1);
        }
      }
    });

    it('lets ids decide between equals', async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, [entry('c'), entry('a'), entry('b')]);
      await harness.settle();
      expect((await index.search(query())).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    });

    it('answers no more than it is asked for', async () => {
      const { index, harness } = current();
      await index.upsert(
        SPACE,
        Array.from({ length: 20 }, (_, at) => entry(`id-${at}`, { values: unit(1, at, 0) })),
      );
      await harness.settle();
      expect((await index.search(query({ limit: 2 }))).map(({ id }) => id)).toEqual(['id-0', 'id-1']);
      expect(await index.search(query({ limit: 0 }))).toEqual([]);
      expect(await index.search(query({ limit: 50_000 }))).toHaveLength(20);
    });

    it('never leaves the user, the space and the kind', async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, [entry('mine'), entry('theirs', { userId: 'bob' })]);
      await index.upsert(SPACE + 1, [entry('elsewhere')]);
      await harness.settle();
      expect((await index.search(query())).map(({ id }) => id)).toEqual(['mine']);
      expect((await index.search(query({ spaceId: SPACE + 1 }))).map(({ id }) => id)).toEqual(['elsewhere']);
      expect(await index.search(query({ userId: 'ANN' }))).toEqual([]);
      expect(await index.search(query({ kind: 'episodic' }))).toEqual([]);
    });

    it('finds nothing that was removed', async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, [entry('a'), entry('b')]);
      await index.remove(SPACE, 'ann', ['a']);
      await harness.settle();
      expect((await index.search(query())).map(({ id }) => id)).toEqual(['b']);
      await index.removeUser(SPACE, 'ann');
      await harness.settle();
      expect(await index.search(query())).toEqual([]);
    });

    it('refuses a vector of another length', async () => {
      const wrong = current().index.search(query({ vector: unit(1, 0, 0, 0) }));
      await expect(wrong).rejects.toMatchObject({ code: 'CONFIGURATION' });
    });

    it('is ended by its caller, and by a close', async () => {
      const { index } = current();
      const reason = new Error('changed my mind');
      await expect(index.search(query(), AbortSignal.abort(reason))).rejects.toBe(reason);
      await index.close();
      await expect(index.search(query())).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        retryable: true,
      });
    });
  });
}
