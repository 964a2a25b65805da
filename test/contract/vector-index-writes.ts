import { entry, unit, type VectorIndexUnderTest } from './support/vector-index-harness';

const SPACE = 1;

export function describeVectorWrites(current: () => VectorIndexUnderTest): void {
  describe('writes', () => {
    it('shows a vector of the revision it was put with, and of no later one', async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, [entry('a', { revision: 2 }), entry('b')]);
      await harness.settle();
      expect(await index.visible(SPACE, 'ann', { a: 2, b: 1 })).toEqual(new Set(['a', 'b']));
      expect(await index.visible(SPACE, 'ann', { a: 1, b: 2 })).toEqual(new Set(['a']));
    });

    it('shows nothing that was not put there, by this user and into this space', async () => {
      const { index, harness } = current();
      expect(await index.visible(SPACE, 'ann', { a: 1 })).toEqual(new Set());
      await index.upsert(SPACE, [entry('a')]);
      await harness.settle();
      expect(await index.visible(SPACE, 'ann', {})).toEqual(new Set());
      expect(await index.visible(SPACE, 'ann', { b: 1 })).toEqual(new Set());
      expect(await index.visible(SPACE, 'bob', { a: 1 })).toEqual(new Set());
      expect(await index.visible(SPACE + 1, 'ann', { a: 1 })).toEqual(new Set());
    });

    it('replaces what it had, metadata included', async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, [entry('a', { labels: ['old'], values: unit(1, 0, 0) })]);
      await index.upsert(SPACE, [entry('a', { revision: 2, labels: ['new'], values: unit(0, 1, 0) })]);
      await harness.settle();
      const query = {
        userId: 'ann',
        kind: 'semantic',
        spaceId: SPACE,
        vector: unit(0, 1, 0),
        limit: 5,
      } as const;
      expect(await index.search(query)).toEqual([{ id: 'a', score: expect.closeTo(1, 5) }]);
      expect(await index.search({ ...query, filters: { anyLabel: ['old'] } })).toEqual([]);
      expect(await index.search({ ...query, filters: { anyLabel: ['new'] } })).toHaveLength(1);
    });

    it('takes a repeat as done', async () => {
      const { index, harness } = current();
      for (let repeat = 0; repeat < 3; repeat += 1) await index.upsert(SPACE, [entry('a')]);
      await harness.settle();
      const query = {
        userId: 'ann',
        kind: 'semantic',
        spaceId: SPACE,
        vector: unit(1, 0, 0),
        limit: 5,
      } as const;
      expect(await index.search(query)).toHaveLength(1);
    });

    it('takes entries of several users at once, and none', async () => {
      const { index, harness } = current();
      await index.upsert(SPACE, []);
      await index.upsert(SPACE, [
        entry('a'),
        entry('b', { userId: 'bob' }),
        entry('c', { userId: 'Zoë 🙂' }),
      ]);
      await harness.settle();
      expect(await index.visible(SPACE, 'ann', { a: 1, b: 1, c: 1 })).toEqual(new Set(['a']));
      expect(await index.visible(SPACE, 'bob', { a: 1, b: 1, c: 1 })).toEqual(new Set(['b']));
      expect(await index.visible(SPACE, 'Zoë 🙂', { a: 1, b: 1, c: 1 })).toEqual(new Set(['c']));
    });

    it('takes more entries at once than one request holds', async () => {
      const { index, harness } = current();
      const many = Array.from({ length: 2_500 }, (_, at) => entry(`id-${at}`, { values: unit(1, at, 0) }));
      await index.upsert(SPACE, many);
      await harness.settle();
      const revisions = Object.fromEntries(many.map(({ id }) => [id, 1]));
      expect((await index.visible(SPACE, 'ann', revisions)).size).toBe(2_500);
      await index.remove(
        SPACE,
        'ann',
        many.slice(1).map(({ id }) => id),
      );
      await harness.settle();
      expect(await index.visible(SPACE, 'ann', revisions)).toEqual(new Set(['id-0']));
    });

    it('keeps all of what several writers put at once', async () => {
      const { harness, index } = current();
      const writers = Array.from({ length: 10 }, () => harness.connect());
      await Promise.all(
        writers.map((writer, at) =>
          writer.upsert(
            SPACE,
            Array.from({ length: 100 }, (_, number) => entry(`${at}-${number}`)),
          ),
        ),
      );
      await harness.settle();
      const ids = Array.from({ length: 1_000 }, (_, at) => `${Math.floor(at / 100)}-${at % 100}`);
      const shown = await index.visible(SPACE, 'ann', Object.fromEntries(ids.map((id) => [id, 1])));
      expect(shown.size).toBe(1_000);
    });

    it('removes what is named, of this user and space alone, and passes over the rest', async () => {
      const { index, harness } = current();
      await index.remove(SPACE, 'nobody', ['a']);
      await index.upsert(SPACE, [entry('a'), entry('b'), entry('a', { userId: 'bob' })]);
      await index.upsert(SPACE + 1, [entry('a')]);
      await index.remove(SPACE, 'ann', ['a', 'never there']);
      await index.remove(SPACE, 'ann', ['a']);
      await index.remove(SPACE, 'ann', []);
      await harness.settle();
      expect(await index.visible(SPACE, 'ann', { a: 1, b: 1 })).toEqual(new Set(['b']));
      expect(await index.visible(SPACE, 'bob', { a: 1 })).toEqual(new Set(['a']));
      expect(await index.visible(SPACE + 1, 'ann', { a: 1 })).toEqual(new Set(['a']));
    });

    it('removes all of a user and nothing of others; the user may write again', async () => {
      const { index, harness } = current();
      await index.removeUser(SPACE, 'ann');
      await index.upsert(SPACE, [entry('a'), entry('b'), entry('c', { userId: 'bob' })]);
      await harness.settle();
      await index.removeUser(SPACE, 'ann');
      await index.removeUser(SPACE, 'ann');
      await harness.settle();
      expect(await index.visible(SPACE, 'ann', { a: 1, b: 1 })).toEqual(new Set());
      expect(await index.visible(SPACE, 'bob', { c: 1 })).toEqual(new Set(['c']));
      await index.upsert(SPACE, [entry('d')]);
      await harness.settle();
      expect(await index.visible(SPACE, 'ann', { a: 1, d: 1 })).toEqual(new Set(['d']));
    });

    it('refuses vectors of another length, and names both lengths', async () => {
      const { index } = current();
      const wrong = index.upsert(SPACE, [entry('a', { values: unit(1, 0) })]);
      await expect(wrong).rejects.toMatchObject({ code: 'CONFIGURATION', retryable: false });
      await expect(wrong).rejects.toThrow(/\b3\b.*\b2\b/);
    });

    it('answers a ping', async () => {
      await expect(current().index.ping()).resolves.toBeUndefined();
    });

    it('is ended by its caller', async () => {
      const { index } = current();
      const reason = new Error('changed my mind');
      const signal = AbortSignal.abort(reason);
      await expect(index.upsert(SPACE, [entry('a')], signal)).rejects.toBe(reason);
      await expect(index.remove(SPACE, 'ann', ['a'], signal)).rejects.toBe(reason);
      await expect(index.removeUser(SPACE, 'ann', signal)).rejects.toBe(reason);
      await expect(index.visible(SPACE, 'ann', { a: 1 }, signal)).rejects.toBe(reason);
      await expect(index.ping(signal)).rejects.toBe(reason);
    });

    it('throws STORE_UNAVAILABLE once closed, and may be closed twice', async () => {
      const { index } = current();
      await index.close();
      await index.close();
      const unavailable = {
        code: 'STORE_UNAVAILABLE',
        retryable: true,
        details: { service: 'vectordb', reason: expect.any(String) as string },
      };
      await expect(index.upsert(SPACE, [entry('a')])).rejects.toMatchObject(unavailable);
      await expect(index.remove(SPACE, 'ann', ['a'])).rejects.toMatchObject(unavailable);
      await expect(index.removeUser(SPACE, 'ann')).rejects.toMatchObject(unavailable);
      await expect(index.visible(SPACE, 'ann', { a: 1 })).rejects.toMatchObject(unavailable);
      await expect(index.ping()).rejects.toMatchObject(unavailable);
    });
  });
}
