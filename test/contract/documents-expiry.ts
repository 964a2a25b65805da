import type { DocumentStore } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';
import { put } from './support/writes';

export function describeExpiry(harness: () => DocumentStoreHarness): void {
  describe('expiry', () => {
    let store: DocumentStore;
    beforeEach(() => {
      store = harness().connect();
    });

    const keys = async (): Promise<string[]> => (await store.list('c')).map(({ key }) => key);

    it('removes what has expired, from every collection, and nothing else', async () => {
      await store.write([
        put('past', 1, { expiresAt: 100 }),
        put('now', 2, { expiresAt: 200 }),
        put('future', 3, { expiresAt: 201 }),
        put('never', 4),
        put('elsewhere', 5, { collection: 'd', expiresAt: 150 }),
      ]);
      expect(await store.removeExpired(99, 10)).toBe(0);
      expect(await store.removeExpired(200, 10)).toBe(3);
      expect(await keys()).toEqual(['future', 'never']);
      expect(await store.list('d')).toEqual([]);
      expect(await store.removeExpired(200, 10)).toBe(0);
    });

    it('shows an expired document until it is removed', async () => {
      await store.write([put('k', 1, { expiresAt: 1 })]);
      expect((await store.get('c', 'k'))?.value).toBe(1);
    });

    it('removes as many as the limit allows, the longest expired first', async () => {
      await store.write([
        put('c', 0, { expiresAt: 1 }),
        put('a', 0, { expiresAt: 2 }),
        put('b', 0, { expiresAt: 3 }),
      ]);
      expect(await store.removeExpired(10, 0)).toBe(0);
      expect(await store.removeExpired(10, 2)).toBe(2);
      expect(await keys()).toEqual(['b']);
    });

    it('goes by the latest put', async () => {
      await store.write([put('kept', 1, { expiresAt: 1 }), put('longer', 1, { expiresAt: 1 })]);
      await store.write([put('kept', 2), put('longer', 2, { expiresAt: 1_000 })]);
      expect(await store.removeExpired(500, 10)).toBe(0);
      expect(await store.removeExpired(1_000, 10)).toBe(1);
      expect(await keys()).toEqual(['kept']);
    });

    it('refuses a time that is none', async () => {
      await expect(store.write([put('k', 1, { expiresAt: Number.NaN })])).rejects.toThrow(RangeError);
    });
  });
}
