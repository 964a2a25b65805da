import { Readable } from 'node:stream';
import { ImportFiles } from '../../../src/records/import/import-files';
import type { TempDir } from '../../support/temp-dir';
import { makeTempDir } from '../../support/temp-dir';

const MIB = 1_024 * 1_024;

let dir: TempDir;
let files: ImportFiles;
beforeEach(() => {
  dir = makeTempDir();
  files = new ImportFiles({ folder: dir.path, maxBytes: 100 * MIB, maxRowBytes: 2 * MIB });
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
