import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createMemoryImportFiles } from '../../../src/imports/create-import-files';
import type { ImportFiles } from '../../../src/imports/import-files';
import { FolderBlobs } from '../../../src/stores/blobs/folder-blobs';
import { importFiles } from '../../support/imports';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const MIB = 1_024 * 1_024;

let dir: TempDir;
let files: ImportFiles;
beforeEach(() => {
  dir = makeTempDir();
  files = importFiles(new FolderBlobs(dir.path), { maxBytes: 100 * MIB, maxRowBytes: 2 * MIB });
});
afterEach(() => dir.remove());

const STARTED = '2026-01-01T00:00:00.000Z';

async function keep(rows: readonly string[], startedAt = STARTED): Promise<void> {
  const upload = await files.receive(Readable.from([Buffer.from(`${rows.join('\n')}\n`)]));
  const run = { namespaceId: 'here', workflowId: 'import-records/1' };
  await files.keep('one', upload, { startedAt, run });
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

test('a row that is not UTF-8 becomes one that is no JSON', async () => {
  const rows = [
    Buffer.from('{"a":"é"}\n'),
    Buffer.from('{"a":"é"}\n', 'latin1'),
    Buffer.from('{"a":"é"}', 'latin1'),
  ];
  const upload = await files.receive(Readable.from([Buffer.concat(rows)]));
  await files.keep('one', upload, {
    startedAt: STARTED,
    run: { namespaceId: 'here', workflowId: 'import-records/1' },
  });
  const read = await files.read('one', 0, { rows: 10, bytes: MIB });
  expect(read.rows).toEqual(['{"a":"é"}', '\ufffd', '\ufffd']);
});

test('an import is forgotten with all that is kept of it', async () => {
  await keep(['row']);
  expect(await files.report('one')).toMatchObject({ id: 'one', state: 'running', bytesTotal: 4 });
  expect(await files.readRun('one')).toEqual({ namespaceId: 'here', workflowId: 'import-records/1' });
  await files.forget('one');
  expect(await files.report('one')).toBeUndefined();
  expect(readdirSync(join(dir.path, 'imports'))).toEqual(['uploads']);
});

test('rows that are stored while their user is erased are refused, and nothing of them stays', async () => {
  const blobs = new FolderBlobs(dir.path);
  const owner = { tenant: 'acme', user: 'a-pseudonym' };
  const limits = { MEMORY_IMPORT_MAX_BYTES: MIB, MEMORY_IMPORT_MAX_LINES: 9, MAX_BODY_BYTES: MIB };
  const own = createMemoryImportFiles(blobs, limits, owner);
  const upload = await own.receive(Readable.from([Buffer.from('row')]));
  const move = blobs.move.bind(blobs);
  jest.spyOn(blobs, 'move').mockImplementation(async (from, to) => {
    await blobs.removeFolder('imports/tenants/acme/users/a-pseudonym/one');
    await move(from, to);
  });
  const run = { namespaceId: 'here', workflowId: 'import-memories/1' };
  await expect(own.keep('one', upload, { startedAt: STARTED, run })).rejects.toMatchObject({
    code: 'MEMORY_ERASING',
  });
  expect(existsSync(join(dir.path, 'imports/tenants/acme/users/a-pseudonym/one'))).toBe(false);
});

test('rows that are kept once more, by a repeat at the same time, take nothing from the report', async () => {
  await keep(['row']);
  const done = { rows: 1, created: 1, present: 0, failed: 0, bytesDone: 4 };
  const report = { id: 'one', state: 'completed' as const, startedAt: STARTED, ...done };
  await files.storeReport(report, []);
  await keep(['row']);
  expect(await files.report('one')).toEqual({ ...report, bytesTotal: 4, errors: [] });
});

test('rows that are kept under the id of an import of which the engine knows no more begin a new report', async () => {
  await keep(['row']);
  const failed = { rows: 1, created: 0, present: 0, failed: 1, bytesDone: 4 };
  const error = { line: 1, error: 'Validation error', message: 'The row is not JSON' };
  await files.storeReport({ id: 'one', state: 'completed', startedAt: STARTED, ...failed }, [error]);
  const later = '2026-02-01T00:00:00.000Z';
  await keep(['row'], later);
  const none = { rows: 0, created: 0, present: 0, failed: 0, bytesDone: 0 };
  const report = { id: 'one', state: 'running', startedAt: later, ...none, bytesTotal: 4 };
  expect(await files.report('one')).toEqual({ ...report, errors: [] });
  await files.storeReport({ id: 'one', state: 'running', startedAt: later, ...none, failed: 1 }, []);
  expect((await files.report('one'))?.errors).toEqual([]);
});

test('no more errors are stored than a report shows, and a step that is repeated changes nothing', async () => {
  await keep(['row']);
  const counts = {
    id: 'one',
    state: 'running' as const,
    startedAt: STARTED,
    bytesDone: 4,
  };
  for (const failed of [600, 1_200, 1_200, 1_800]) {
    const errors = Array.from({ length: 600 }, (_, at) => ({
      line: failed - 600 + at + 1,
      error: 'Validation error',
      message: 'not JSON',
    }));
    await files.storeReport({ ...counts, rows: failed, created: 0, present: 0, failed }, errors);
  }
  const report = await files.report('one');
  expect([report?.failed, report?.errors.length, report?.errors.at(-1)?.line]).toEqual([1_800, 1_000, 1_000]);
  const folder = readdirSync(join(dir.path, 'imports'), { recursive: true, encoding: 'utf8' });
  const stored = folder
    .filter((name) => name.includes('errors-'))
    .map((name) => (JSON.parse(readFileSync(join(dir.path, 'imports', name), 'utf8')) as unknown[]).length);
  expect(stored.sort()).toEqual([400, 600]);
});

test('errors of many steps are read at once, and shown in the order of rows', async () => {
  await keep(['row']);
  const lines = Array.from({ length: 100 }, (_, n) => 500 * n + 1);
  for (const [n, line] of lines.entries()) {
    const counts = { rows: line, created: line - n - 1, present: 0, failed: n + 1, bytesDone: line };
    const report = { id: 'one', state: 'running' as const, startedAt: STARTED, ...counts };
    await files.storeReport(report, [{ line, error: 'Validation error', message: 'The row is not JSON' }]);
  }
  let reading = 0;
  let most = 0;
  const blobs = new FolderBlobs(dir.path);
  jest.spyOn(blobs, 'get').mockImplementation(async (key) => {
    reading += 1;
    most = Math.max(most, reading);
    const found = await FolderBlobs.prototype.get.call(blobs, key);
    reading -= 1;
    return found;
  });
  const report = await importFiles(blobs, { maxBytes: MIB, maxRowBytes: MIB }).report('one');
  expect(report?.errors.map(({ line }) => line)).toEqual(lines);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
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

test('an import, its rows and its report exist for their tenant alone', async () => {
  const blobs = new FolderBlobs(dir.path);
  const limits = { maxBytes: MIB, maxRowBytes: MIB };
  const acme = importFiles(blobs, { ...limits, tenant: 'acme' });
  const other = importFiles(blobs, { ...limits, tenant: 'acme-2' });
  const startedAt = '2026-01-01T00:00:00.000Z';
  const run = { namespaceId: 'here', workflowId: 'import-records/acme' };
  const upload = await acme.receive(Readable.from([Buffer.from('its row')]));
  await acme.keep('one', upload, { startedAt, run });
  for (const stranger of [files, other]) {
    expect(await stranger.report('one')).toBeUndefined();
    expect(await stranger.readRun('one')).toBeUndefined();
    await expect(stranger.read('one', 0, { rows: 1, bytes: 1 })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    await stranger.forget('one');
  }
  await keep(['row']);
  const counts = { rows: 1, created: 0, present: 0, failed: 1, bytesDone: 4 };
  await files.storeReport({ id: 'one', state: 'completed', startedAt, ...counts }, [
    { line: 1, error: 'VALIDATION', message: 'bad' },
  ]);
  expect(await acme.report('one')).toMatchObject({ state: 'running', errors: [] });
  expect(await acme.readRun('one')).toEqual(run);
  expect((await acme.read('one', 0, { rows: 9, bytes: 9 })).rows).toEqual(['its row']);
});

test('the name of a tenant leads to no other folder', () => {
  for (const tenant of ['..', 'a/b', ''])
    expect(() => importFiles(new FolderBlobs(dir.path), { tenant })).toThrow(
      'The name of a tenant is malformed',
    );
});
