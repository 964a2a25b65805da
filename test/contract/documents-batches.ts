import type { DocumentStore } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';
import { del, put } from './support/writes';

export function describeBatches(harness: () => DocumentStoreHarness): void {
  describe('compare-and-set', () => {
    let store: DocumentStore;
    beforeEach(() => {
      store = harness().connect();
    });

    it('puts at version 0 only if there is nothing', async () => {
      expect(await store.write([put('k', 1, { ifVersion: 0 })])).toBe(true);
      expect(await store.write([put('k', 2, { ifVersion: 0 })])).toBe(false);
      expect(await store.get('c', 'k')).toEqual({ key: 'k', value: 1, version: 1 });
    });

    it('puts at a version only while the document has it', async () => {
      await store.write([put('k', 1)]);
      expect(await store.write([put('k', 2, { ifVersion: 1 })])).toBe(true);
      expect(await store.write([put('k', 3, { ifVersion: 1 })])).toBe(false);
      expect(await store.write([put('k', 3, { ifVersion: 3 })])).toBe(false);
      expect(await store.write([put('missing', 3, { ifVersion: 1 })])).toBe(false);
      expect(await store.get('c', 'k')).toEqual({ key: 'k', value: 2, version: 2 });
    });

    it('deletes at a version only while the document has it', async () => {
      await store.write([put('k', 1)]);
      expect(await store.write([del('k', { ifVersion: 2 })])).toBe(false);
      expect(await store.write([del('k', { ifVersion: 0 })])).toBe(false);
      expect(await store.write([del('k', { ifVersion: 1 })])).toBe(true);
      expect(await store.write([del('k', { ifVersion: 1 })])).toBe(false);
      expect(await store.write([del('k', { ifVersion: 0 })])).toBe(true);
    });

    it.each(['full', 'process'] as const)('writes all of a batch, %s', async (durability) => {
      await store.write([put('old', 1)]);
      const batch = [put('a', 1, { ifVersion: 0 }), put('b', 2), del('old', { ifVersion: 1 })];
      expect(await store.write(batch, { durability })).toBe(true);
      expect((await store.list('c')).map(({ key }) => key)).toEqual(['a', 'b']);
    });

    it.each(['full', 'process'] as const)('writes none of a batch that fails, %s', async (durability) => {
      await store.write([put('old', 1), put('other', 1)]);
      const batch = [put('a', 1), put('other', 2), del('old'), put('b', 1, { ifVersion: 7 })];
      expect(await store.write(batch, { durability })).toBe(false);
      expect(await store.list('c')).toEqual([
        { key: 'old', value: 1, version: 1 },
        { key: 'other', value: 1, version: 1 },
      ]);
    });

    it('takes an empty batch as done', async () => {
      expect(await store.write([])).toBe(true);
    });

    it('refuses a batch that names a document twice, and writes nothing of it', async () => {
      await expect(store.write([put('k', 1), del('k')])).rejects.toThrow('twice');
      expect(await store.get('c', 'k')).toBeUndefined();
      const apart = [put('k', 1, { collection: 'c1' }), put('k', 2, { collection: 'c2' })];
      expect(await store.write(apart)).toBe(true);
    });

    it('writes a batch of a thousand', async () => {
      const keys = Array.from({ length: 1_000 }, (_, index) => `key-${index}`);
      expect(await store.write(keys.map((key) => put(key, key, { ifVersion: 0 })))).toBe(true);
      expect((await store.getMany('c', keys)).size).toBe(1_000);
      expect(await store.write(keys.map((key) => del(key, { ifVersion: 1 })))).toBe(true);
      expect(await store.list('c')).toEqual([]);
    });
  });
}
