import { type DocumentStore, MAX_KEY_LENGTH } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';
import { del, put } from './support/writes';

const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  ' ',
  ' leading and trailing ',
  '\0',
  'a\0b',
  'line\nbreak',
  "quote'",
  'double"quote',
  'back\\slash',
  '%_wild*card?',
  '{{template}}',
  '$param',
  '../../etc/passwd',
  'é',
  'e\u0301',
  '日本語',
  '한국어',
  'עברית',
  '👩‍👩‍👧‍👦',
  '\u{10FFFF}',
  '\uFFFD',
  'NaN',
  'null',
  '0',
  '-0',
];

const VALUES: readonly unknown[] = [
  null,
  false,
  0,
  '',
  [],
  {},
  [[]],
  [null],
  { '': '' },
  '\0',
  '\ud800 alone',
  '\u2028\u2029',
  '👩‍👩‍👧‍👦',
  Number.MAX_SAFE_INTEGER,
  5e-324,
  1.7976931348623157e308,
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null}'),
];

export function describeKeysAndValues(harness: () => DocumentStoreHarness): void {
  describe('keys and values', () => {
    let store: DocumentStore;
    beforeEach(() => {
      store = harness().connect();
    });

    it('tells every odd key from every other', async () => {
      await store.write(ODD_KEYS.map((key) => put(key, key, { ifVersion: 0 })));
      for (const key of ODD_KEYS) expect((await store.get('c', key))?.value).toBe(key);
      const many = await store.getMany('c', ODD_KEYS);
      expect([...many.keys()].sort()).toEqual([...ODD_KEYS].sort());
      expect((await store.list('c')).map(({ key }) => key)).toEqual([...ODD_KEYS].sort());
      await store.write(ODD_KEYS.map((key) => del(key, { ifVersion: 1 })));
      expect(await store.list('c')).toEqual([]);
    });

    it('does not find what every object has', async () => {
      for (const key of ['__proto__', 'constructor', 'toString']) {
        expect(await store.get('c', key)).toBeUndefined();
        expect((await store.getMany('c', [key])).size).toBe(0);
      }
    });

    it.each(VALUES.map((value) => [JSON.stringify(value), value]))(
      'keeps the value %s',
      async (_text, value) => {
        await store.write([put('k', value)]);
        const found = await store.get('c', 'k');
        expect(found?.value).toStrictEqual(value);
        expect(found?.version).toBe(1);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      },
    );

    it('keeps a value as JSON has it', async () => {
      await store.write([put('k', { date: new Date(0), gone: undefined, infinite: Infinity })]);
      expect((await store.get('c', 'k'))?.value).toStrictEqual({
        date: '1970-01-01T00:00:00.000Z',
        infinite: null,
      });
    });

    it('refuses a value that is no JSON, and writes nothing of its batch', async () => {
      await expect(store.write([put('a', 1), put('b', undefined)])).rejects.toThrow(TypeError);
      await expect(store.write([put('a', 1), put('b', () => 1)])).rejects.toThrow(TypeError);
      expect(await store.list('c')).toEqual([]);
    });

    it('keeps a megabyte', async () => {
      const value = { text: 'ü'.repeat(500_000), list: Array.from({ length: 1_000 }, (_, index) => index) };
      await store.write([put('large', value), put('small', 1)]);
      expect((await store.get('c', 'large'))?.value).toEqual(value);
      expect((await store.list('c')).map(({ key }) => key)).toEqual(['large', 'small']);
      await store.write([put('large', 'no longer')]);
      expect((await store.get('c', 'large'))?.value).toBe('no longer');
    });

    it('takes keys up to the longest', async () => {
      for (const letter of ['a', '中', '\uFFFF']) {
        const key = letter.repeat(MAX_KEY_LENGTH);
        await store.write([put(key, letter)]);
        expect((await store.get('c', key))?.value).toBe(letter);
      }
      const pairs = '😀'.repeat(MAX_KEY_LENGTH / 2);
      await store.write([put(pairs, 'pairs')]);
      expect((await store.get('c', pairs))?.value).toBe('pairs');
    });

    it.each([
      ['empty', ''],
      ['too long', 'k'.repeat(MAX_KEY_LENGTH + 1)],
      ['not well-formed', 'half a pair \ud83d'],
      ['not well-formed', '\ude00 other half'],
    ])('refuses a key that is %s', async (_how, key) => {
      const invalid = { code: 'VALIDATION', details: { field: 'key' } };
      await expect(store.get('c', key)).rejects.toMatchObject(invalid);
      await expect(store.getMany('c', ['k', key])).rejects.toMatchObject(invalid);
      await expect(store.write([put('k', 1), put(key, 1)])).rejects.toMatchObject(invalid);
      await expect(store.write([del(key)])).rejects.toMatchObject(invalid);
      expect(await store.list('c')).toEqual([]);
    });
  });
}
