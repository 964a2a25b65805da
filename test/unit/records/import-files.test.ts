import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ImportFiles } from '../../../src/records/import/import-files';
import { FolderBlobs } from '../../../src/stores/blobs/folder-blobs';
import type { TempDir } from '../../support/temp-dir';
import { makeTempDir } from '../../support/temp-dir';

const MIB = 1_024 * 1_024;

let dir: TempDir;
let files: ImportFiles;
beforeEach(() => {
  dir = makeTempDir();
  files = new ImportFiles({ blobs: new FolderBlobs(dir.path), maxBytes: 100 * MIB, maxRowBytes: 2 * MIB });
});
afterEach(() => dir.remove());

async function keep(rows: readonly string[]): Promise<void> {
  const upload = await files.receive(Readable.from([Buffer.from(`${rows.join('\n')}\n`)]));
  await files.keep('one', upload, '2026-01-01T00:00:00.000Z');
}

test('rows are read on until there are so many, or so many bytes', async () => {
  const rows = Array.from({ length: 10 }, (_, n) => String(n).repeat(n < 5 ? MIB : 3));
  await keep(rows);
  const read: (readonly string[])[] = [];
  for (let offset = 0, done = false; !done;) {
    const part = await files.read('one', offset, { rows: 4, bytes: 2 * MIB });
    read.push(part.rows);
    ({ offset, done } = part);
  }
  expect(read.map((part) => part.length)).toEqual([2, 2, 4, 2]);
  expect(read.flat()).toEqual(rows);
});

test('an upload that became no import goes after a day, and a report stays', async () => {
  await keep(['row']);
  const upload = await files.receive(Readable.from([Buffer.from('left')]));
  const left = join(dir.path, upload.key);
  expect(await files.sweep(Date.now())).toBe(0);
  expect(existsSync(left)).toBe(true);
  expect(await files.sweep(Date.now() + 25 * 3_600_000)).toBe(1);
  expect(existsSync(left)).toBe(false);
  expect(await files.report('one')).toMatchObject({ id: 'one', state: 'running', bytesTotal: 4 });
});

test('what was uploaded is not kept where it is too long, and rows that are gone are told as such', async () => {
  const long = Readable.from([Buffer.alloc(3 * MIB, 'a')]);
  await expect(files.receive(long)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
  expect(readdirSync(join(dir.path, 'imports', 'uploads'))).toEqual([]);
  await expect(files.read('none', 0, { rows: 1, bytes: 1 })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    retryable: true,
  });
});

test.each(['.', '..', '../one', 'a/b', '', '-key'])('there is no import %j', async (id) => {
  await keep(['row']);
  expect(await files.report(id)).toBeUndefined();
});
