import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import type { BlobInfo, BlobStore } from '../../src/stores/blobs/blob-store';
import { newId } from '../../src/base/ids';

export interface BlobsHarness {
  /** Opens the store as another process does; `dispose` closes it. */
  connect(): BlobStore;
  /** Leaves a draft as a killed process does, and resolves when the store lists it. */
  leaveDraft(key: string): Promise<void>;
  dispose(): Promise<void>;
}

const MIB = 1_048_576;

/**
 * What every adapter of the `BlobStore` port has to do. All tests may share the store, because each uses its own
 * folder.
 */
export function describeBlobStore(name: string, open: () => Promise<BlobsHarness>): void {
  describe(`${name} blob store`, () => {
    let harness: BlobsHarness;
    let blobs: BlobStore;
    let folder: string;

    beforeAll(async () => {
      harness = await open();
      blobs = harness.connect();
    });
    afterAll(() => harness.dispose());
    beforeEach(() => {
      folder = `test/${newId()}`;
    });

    const text = async (key: string): Promise<string | undefined> => (await blobs.get(key))?.toString('utf8');
    const put = (key: string, value: string): Promise<void> => blobs.put(key, Buffer.from(value));

    async function listed(of = folder): Promise<BlobInfo[]> {
      const found: BlobInfo[] = [];
      for await (const info of blobs.list(of)) found.push(info);
      return found;
    }
    const keysOf = async (of = folder): Promise<string[]> => (await listed(of)).map(({ key }) => key).sort();

    test('can be used', async () => {
      await blobs.ping();
    });

    test('gives back what was put, byte by byte, to everybody', async () => {
      const other = harness.connect();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async (bytes) => {
          const key = `${folder}/${newId()}`;
          await blobs.put(key, bytes);
          expect(await other.get(key)).toEqual(Buffer.from(bytes));
        }),
        { numRuns: 20 },
      );
    });

    test('replaces what was under a key', async () => {
      await put(`${folder}/a`, 'first');
      await put(`${folder}/a`, 'second, which is longer');
      expect(await text(`${folder}/a`)).toBe('second, which is longer');
      await put(`${folder}/a`, '3');
      expect(await text(`${folder}/a`)).toBe('3');
      expect(await keysOf()).toEqual([`${folder}/a`]);
    });

    test('a reader beside writers finds one of their blobs whole', async () => {
      const values = ['a', 'b'].map((letter) => letter.repeat(300_000));
      await put(`${folder}/a`, values[0] ?? '');
      let isWriting = true;
      const writing = Promise.all(
        values.map(async (value) => {
          for (let n = 0; n < 10; n += 1) await put(`${folder}/a`, value);
        }),
      ).finally(() => (isWriting = false));
      do expect(values).toContain(await text(`${folder}/a`));
      while (isWriting);
      await writing;
    });

    test('has none of what nobody put', async () => {
      expect(await blobs.get(`${folder}/none`)).toBeUndefined();
      expect(await blobs.getRange(`${folder}/none`, 0, 10)).toBeUndefined();
      expect(await listed()).toEqual([]);
      await blobs.remove(`${folder}/none`);
      await blobs.removeFolder(`${folder}/none`);
    });

    test('a folder is no blob', async () => {
      await put(`${folder}/in/a`, 'a');
      expect(await blobs.get(`${folder}/in`)).toBeUndefined();
    });

    test('reads ranges as a slice does', async () => {
      const bytes = Buffer.from('0123456789');
      await blobs.put(`${folder}/a`, bytes);
      await fc.assert(
        fc.asyncProperty(fc.nat(14), fc.integer({ min: 1, max: 14 }), async (offset, length) => {
          const range = await blobs.getRange(`${folder}/a`, offset, length);
          expect(range).toEqual(bytes.subarray(offset, offset + length));
        }),
        { numRuns: 20 },
      );
    });

    test.each([
      ['nothing', 0],
      ['one byte', 1],
      ['less than a part', 3 * MIB],
      ['a part to the byte', 8 * MIB],
      ['several parts', 20 * MIB + 7],
    ])('keeps a stream of %s', async (_what, bytes) => {
      const key = `${folder}/stream`;
      const sent = createHash('sha256');
      function* chunks(): Generator<Buffer> {
        for (let left = bytes, n = 0; left > 0; n += 1) {
          const chunk = Buffer.alloc(Math.min(left, 700_001), n % 251);
          sent.update(chunk);
          left -= chunk.length;
          yield chunk;
        }
      }
      await blobs.putStream(key, Readable.from(chunks()));
      const kept = (await blobs.get(key)) ?? Buffer.from('none');
      expect(kept).toHaveLength(bytes);
      expect(createHash('sha256').update(kept).digest('hex')).toBe(sent.digest('hex'));
      expect(await listed()).toMatchObject([{ key, bytes }]);
    });

    test.each([0, 1, 12])('keeps nothing of a stream that breaks off after %d MiB', async (size) => {
      const key = `${folder}/broken`;
      async function* chunks(): AsyncGenerator<Buffer> {
        for (let n = 0; n < size; n += 1) yield Buffer.alloc(MIB, 1);
        await Promise.resolve();
        throw new Error('the caller went away');
      }
      await expect(blobs.putStream(key, chunks())).rejects.toThrow('the caller went away');
      expect(await blobs.get(key)).toBeUndefined();
      expect(await listed()).toEqual([]);
      expect(await blobs.removeDrafts(folder, Date.now() + 60_000)).toBe(0);
    });

    test('gives a blob another key', async () => {
      await put(`${folder}/uploads/a`, 'rows');
      await put(`${folder}/b:1/rows.ndjson`, 'other rows');
      await blobs.move(`${folder}/uploads/a`, `${folder}/b:1/rows.ndjson`);
      expect(await text(`${folder}/b:1/rows.ndjson`)).toBe('rows');
      expect(await keysOf()).toEqual([`${folder}/b:1/rows.ndjson`]);
    });

    test('lists a folder with all that is in it, and nothing beside', async () => {
      const began = Date.now();
      const keys = ['a/1', 'a/2', 'a/b/3', 'c/4', '5'].map((key) => `${folder}/${key}`);
      for (const key of keys) await put(key, 'text');
      await put(`${folder}-beside/a`, 'text');
      expect(await keysOf()).toEqual([...keys].sort());
      expect(await keysOf(`${folder}/a`)).toEqual(keys.slice(0, 3));
      for (const { bytes, modifiedAt } of await listed()) {
        expect(bytes).toBe(4);
        // Some servers store times in whole seconds.
        expect(modifiedAt).toBeGreaterThan(began - 2_000);
        expect(modifiedAt).toBeLessThan(Date.now() + 2_000);
      }
      const folders = (await listed()).map(({ key }) => key.split('/')[2]);
      expect(folders.filter((name, place) => name !== folders[place - 1])).toHaveLength(
        new Set(folders).size,
      );
    });

    test('lists more than one answer of a server holds', async () => {
      const keys = Array.from({ length: 1_050 }, (_, n) => `${folder}/${String(n).padStart(4, '0')}`);
      for (let n = 0; n < keys.length; n += 50)
        await Promise.all(keys.slice(n, n + 50).map((key) => put(key, 'x')));
      expect(await keysOf()).toEqual(keys);
      await blobs.removeFolder(folder);
      expect(await listed()).toEqual([]);
    });

    test('removes a blob, or a folder, and nothing beside', async () => {
      for (const key of ['a/1', 'a/2', 'a/b/3', 'ab/4']) await put(`${folder}/${key}`, 'text');
      await blobs.remove(`${folder}/a/2`);
      expect(await keysOf()).toEqual(['a/1', 'a/b/3', 'ab/4'].map((key) => `${folder}/${key}`));
      await blobs.removeFolder(`${folder}/a`);
      expect(await keysOf()).toEqual([`${folder}/ab/4`]);
    });

    test('counts what is put again as written again', async () => {
      await put(`${folder}/a`, 'same');
      const [first] = await listed();
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await put(`${folder}/a`, 'same');
      const [again] = await listed();
      expect(again?.modifiedAt).toBeGreaterThan(first?.modifiedAt ?? Infinity);
    });

    test('takes away drafts of those who died, and only old ones', async () => {
      await put(`${folder}/whole`, 'text');
      await harness.leaveDraft(`${folder}/in/draft`);
      expect(await keysOf()).toEqual([`${folder}/whole`]);
      expect(await blobs.removeDrafts(folder, Date.now() - 60_000)).toBe(0);
      expect(await blobs.removeDrafts(folder, Date.now() + 60_000)).toBe(1);
      expect(await blobs.removeDrafts(folder, Date.now() + 60_000)).toBe(0);
      expect(await keysOf()).toEqual([`${folder}/whole`]);
    });

    test.each(['', '/', '/a', 'a//b', '..', 'a/../b', './a', 'a/', 'a b', 'ä', 'a\\b'])(
      'a key is no way out of the store: %j',
      async (key) => {
        for (const action of [
          () => blobs.get(key),
          () => put(key, 'text'),
          () => blobs.remove(key),
          () => blobs.removeFolder(key),
          () => listed(key),
        ])
          await expect(action()).rejects.toMatchObject({ code: 'INTERNAL' });
      },
    );
  });
}
