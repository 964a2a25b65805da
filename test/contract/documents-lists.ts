import { type DocumentStore, MAX_LIST_LIMIT } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';
import { put } from './support/writes';

/** In ascending order of UTF-16 code unit. By code point the last two are in the opposite order. */
const ORDERED_KEYS = [
  '\0',
  ' ',
  '-',
  '.',
  '10',
  '9',
  'A',
  'Z',
  '_',
  'a',
  'a\0',
  'aa',
  'b',
  'z',
  'é',
  'ü',
  '中',
  '한',
  '\u{1F600}',
  '\uFF5E',
];

export function describeLists(harness: () => DocumentStoreHarness): void {
  describe('lists', () => {
    let store: DocumentStore;
    beforeEach(() => {
      store = harness().connect();
    });

    const keys = async (options?: { after?: string; limit?: number }): Promise<string[]> =>
      (await store.list('c', options)).map(({ key }) => key);

    it('is empty for a collection nobody wrote to', async () => {
      expect(await store.list('c')).toEqual([]);
    });

    it('lists by code unit, whatever the order of writing', async () => {
      expect([...ORDERED_KEYS].sort()).toEqual(ORDERED_KEYS);
      await store.write([...ORDERED_KEYS].reverse().map((key) => put(key, key)));
      expect(await keys()).toEqual(ORDERED_KEYS);
      for (const [index, key] of ORDERED_KEYS.entries()) {
        expect(await keys({ after: key })).toEqual(ORDERED_KEYS.slice(index + 1));
      }
    });

    it('goes on after a key that is not there', async () => {
      await store.write([put('a', 1), put('c', 2)]);
      expect(await keys({ after: 'b' })).toEqual(['c']);
      expect(await keys({ after: '' })).toEqual(['a', 'c']);
      expect(await keys({ after: 'd' })).toEqual([]);
    });

    it('returns as many as the limit allows', async () => {
      await store.write(['a', 'b', 'c'].map((key) => put(key, 0)));
      expect(await keys({ limit: 2 })).toEqual(['a', 'b']);
      expect(await keys({ limit: 2, after: 'b' })).toEqual(['c']);
      expect(await keys({ limit: 0 })).toEqual([]);
      expect(await keys({ limit: -1 })).toEqual([]);
    });

    it('never returns more than the cap', async () => {
      const names = Array.from({ length: MAX_LIST_LIMIT + 5 }, (_, index) => String(index).padStart(5, '0'));
      await store.write(names.map((name) => put(name, 0)));
      expect(await keys()).toEqual(names.slice(0, MAX_LIST_LIMIT));
      expect(await keys({ limit: MAX_LIST_LIMIT * 2 })).toHaveLength(MAX_LIST_LIMIT);
      expect(await keys({ after: names[MAX_LIST_LIMIT - 1] ?? '' })).toEqual(names.slice(MAX_LIST_LIMIT));
    });

    it('lists only its own collection', async () => {
      await store.write([put('a', 1), put('b', 2, { collection: 'd' })]);
      expect(await keys()).toEqual(['a']);
    });
  });
}
