import type { DocumentStore } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';
import { del, put } from './support/writes';

export function describeSingleDocuments(harness: () => DocumentStoreHarness): void {
  describe('single documents', () => {
    let store: DocumentStore;
    beforeEach(() => {
      store = harness().connect();
    });

    it('finds nothing where nothing was put', async () => {
      expect(await store.get('c', 'k')).toBeUndefined();
      expect(await store.getMany('c', ['k', 'l'])).toEqual(new Map());
      expect(await store.getMany('c', [])).toEqual(new Map());
      expect(await store.getEach('c', ['k', 'l'])).toEqual(new Map());
      expect(await store.getEach('c', [])).toEqual(new Map());
    });

    it('returns what was put, at version 1', async () => {
      expect(await store.write([put('k', { a: [1, null, { b: 'x' }] })])).toBe(true);
      expect(await store.get('c', 'k')).toEqual({
        key: 'k',
        value: { a: [1, null, { b: 'x' }] },
        version: 1,
      });
    });

    it('counts a version for each put, whether or not the value is another one', async () => {
      await store.write([put('k', 1)]);
      await store.write([put('k', 2)]);
      await store.write([put('k', 2)]);
      expect(await store.get('c', 'k')).toEqual({ key: 'k', value: 2, version: 3 });
    });

    it('forgets what was deleted and starts at version 1 again', async () => {
      await store.write([put('k', 1)]);
      await store.write([put('k', 2)]);
      expect(await store.write([del('k')])).toBe(true);
      expect(await store.get('c', 'k')).toBeUndefined();
      await store.write([put('k', 3)]);
      expect(await store.get('c', 'k')).toEqual({ key: 'k', value: 3, version: 1 });
    });

    it('takes the deletion of nothing as done', async () => {
      expect(await store.write([del('k')])).toBe(true);
    });

    it('keeps collections apart', async () => {
      await store.write([put('k', 'one', { collection: 'c1' }), put('k', 'two', { collection: 'c2' })]);
      expect((await store.get('c1', 'k'))?.value).toBe('one');
      expect((await store.get('c2', 'k'))?.value).toBe('two');
      await store.write([del('k', { collection: 'c1' })]);
      expect((await store.get('c2', 'k'))?.value).toBe('two');
    });

    it('returns those of many that are there, each once', async () => {
      await store.write([put('a', 1), put('b', 2), put('c', 3)]);
      for (const read of ['getMany', 'getEach'] as const) {
        const found = await store[read]<number>('c', ['c', 'missing', 'a', 'a']);
        expect([...found.keys()].sort()).toEqual(['a', 'c']);
        expect(found.get('c')).toEqual({ key: 'c', value: 3, version: 1 });
      }
    });

    it('shows a write to every other store at once', async () => {
      const other = harness().connect();
      await other.ping();
      await store.write([put('k', 1)]);
      expect((await other.get('c', 'k'))?.value).toBe(1);
      await other.write([put('k', 2)], { durability: 'process' });
      expect((await store.get('c', 'k'))?.value).toBe(2);
    });

    it('keeps what was written when it is closed and opened again', async () => {
      await store.write([put('full', 1)]);
      await store.write([put('process', 2)], { durability: 'process' });
      await store.close();
      const reopened = harness().connect();
      expect((await reopened.get('c', 'full'))?.value).toBe(1);
      expect((await reopened.get('c', 'process'))?.value).toBe(2);
    });

    it('answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });

    it('throws STORE_UNAVAILABLE once closed, and may be closed twice', async () => {
      await store.write([put('k', 1)]);
      await store.close();
      await store.close();
      const unavailable = { code: 'STORE_UNAVAILABLE', retryable: true };
      await expect(store.get('c', 'k')).rejects.toMatchObject(unavailable);
      await expect(store.getMany('c', ['k'])).rejects.toMatchObject(unavailable);
      await expect(store.getEach('c', ['k'])).rejects.toMatchObject(unavailable);
      await expect(store.list('c')).rejects.toMatchObject(unavailable);
      await expect(store.write([put('k', 2)])).rejects.toMatchObject(unavailable);
      await expect(store.removeExpired(0, 1)).rejects.toMatchObject(unavailable);
      await expect(store.ping()).rejects.toMatchObject(unavailable);
    });

    it('may be closed before it was used', async () => {
      await store.close();
      await expect(store.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
  });
}
