import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createMemoryImportFiles } from '../../../src/imports/create-import-files';
import type { ImportFiles } from '../../../src/imports/import-files';
import { sweepImports } from '../../../src/imports/sweep-imports';
import { FolderBlobs } from '../../../src/stores/blobs/folder-blobs';
import { importFiles } from '../../support/imports';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import type { Sweep } from '../../../src/stores/blobs/keys';

const HOUR_MS = 3_600_000;

let dir: TempDir;
let blobs: FolderBlobs;
let files: ImportFiles;
beforeEach(() => {
  dir = makeTempDir();
  blobs = new FolderBlobs(dir.path);
  files = importFiles(blobs, { maxBytes: 1_000, maxRowBytes: 1_000 });
});
afterEach(() => dir.remove());

async function keep(
  importId: string,
  namespaceId = 'here',
  of: Pick<ImportFiles, 'receive' | 'keep'> = files,
): Promise<void> {
  const upload = await of.receive(Readable.from([Buffer.from('row')]));
  const run = { namespaceId, workflowId: `import-records/${importId}` };
  await of.keep(importId, upload, { startedAt: '2026-01-01T00:00:00.000Z', run });
}

/** Sweeps a day and an hour later, with an engine that has the runs of these imports. */
function sweep(known: readonly string[], more: Partial<Sweep> = {}): Promise<number> {
  return sweepImports({
    blobs,
    namespaceId: 'here',
    isKnown: (workflowId) => Promise.resolve(known.includes(workflowId.replace('import-records/', ''))),
    now: Date.now() + 25 * HOUR_MS,
    ...more,
  });
}

const rowsOf = (importId: string): boolean => existsSync(join(dir.path, 'imports', importId, 'rows.ndjson'));

test('rows go when the engine no longer knows their run, finished or not, and the report stays', async () => {
  for (const id of ['kept', 'completed', 'lost']) await keep(id);
  const done = { rows: 1, created: 1, present: 0, failed: 0, bytesDone: 3 };
  const startedAt = '2026-01-01T00:00:00.000Z';
  for (const id of ['kept', 'completed'])
    await files.storeReport({ id, state: 'completed', startedAt, ...done }, []);
  await files.storeFirstLook('completed', 0, [1]);
  expect(await sweep(['kept', 'completed', 'lost'])).toBe(0);
  expect(await sweep(['kept'])).toBe(2);
  expect(['kept', 'completed', 'lost'].map(rowsOf)).toEqual([true, false, false]);
  expect(existsSync(join(dir.path, 'imports', 'completed', 'first-look.json'))).toBe(false);
  expect(await files.report('completed')).toMatchObject({ state: 'completed', created: 1 });
  expect(await sweep(['kept'])).toBe(0);
});

test('young rows are left, and those of another server, or of nobody knows which', async () => {
  await keep('young');
  await keep('elsewhere', 'another');
  await blobs.put('imports/earlier/rows.ndjson', Buffer.from('row'));
  expect(await sweep([], { now: Date.now() + 23 * HOUR_MS })).toBe(0);
  expect(await sweep([])).toBe(1);
  expect(['young', 'elsewhere', 'earlier'].map(rowsOf)).toEqual([false, true, true]);
});

test('an upload that became no import goes after a day', async () => {
  const { key } = await files.receive(Readable.from([Buffer.from('left')]));
  const isThere = (): boolean => existsSync(join(dir.path, key));
  expect(await sweep([], { now: Date.now() })).toBe(0);
  expect(isThere()).toBe(true);
  expect(await sweep([])).toBe(1);
  expect(isThere()).toBe(false);
});

test('no rows go while the engine cannot be asked', async () => {
  await keep('one');
  await expect(sweep([], { isKnown: () => Promise.reject(new Error('away')) })).rejects.toThrow('away');
  expect(await sweep([], { signal: AbortSignal.abort() })).toBe(0);
  expect(rowsOf('one')).toBe(true);
});

test('rows and uploads of users go', async () => {
  const limits = { MEMORY_IMPORT_MAX_BYTES: 1_000, MEMORY_IMPORT_MAX_LINES: 2, MAX_BODY_BYTES: 1_000 };
  const owner = { tenant: 'acme', user: 'a-pseudonym' };
  const own = createMemoryImportFiles(blobs, limits, owner);
  await keep('one', 'here', own);
  const { key } = await own.receive(Readable.from([Buffer.from('a\nb\n')]));
  expect(rowsOf('tenants/acme/users/a-pseudonym/one')).toBe(true);
  expect(await sweep(['one'])).toBe(1);
  expect(await sweep([])).toBe(1);
  expect([rowsOf('tenants/acme/users/a-pseudonym/one'), existsSync(join(dir.path, key))]).toEqual([
    false,
    false,
  ]);
  await expect(
    own.receive(Readable.from(['a\nb', '\n', 'c'].map((text) => Buffer.from(text)))),
  ).rejects.toMatchObject({
    message: 'The body has more than 2 rows (MEMORY_IMPORT_MAX_LINES)',
  });
});

test('what is stored of a user who was erased meanwhile goes', async () => {
  const folder = 'imports/users/a-pseudonym/one';
  await blobs.put(`${folder}/rows.ndjson`, Buffer.from('row'));
  await blobs.put(`${folder}/progress.json`, Buffer.from('{}'));
  expect(await sweep([])).toBe(1);
  expect(existsSync(join(dir.path, folder))).toBe(false);
});

test('rows and uploads of every tenant go', async () => {
  const acme = importFiles(blobs, { tenant: 'acme', maxBytes: 1_000, maxRowBytes: 1_000 });
  for (const id of ['kept', 'lost']) {
    await keep(id);
    await keep(`acme-${id}`, 'here', acme);
  }
  const { key } = await acme.receive(Readable.from([Buffer.from('left')]));
  expect(await sweep(['kept', 'acme-kept'])).toBe(3);
  expect(['kept', 'lost', 'tenants/acme/acme-kept', 'tenants/acme/acme-lost'].map(rowsOf)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(existsSync(join(dir.path, key))).toBe(false);
  expect(await acme.report('acme-lost')).toMatchObject({ state: 'running' });
});
