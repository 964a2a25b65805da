import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ImportInput, NOTHING_IMPORTED } from '../../contracts/imports';
import type { ImportFiles } from '../../../../src/imports/import-files';
import { importStep } from '../../domain/import/import-step';
import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import type { RecordStore } from '../../stores/record-store';
import type { RecordStores } from '../../stores/record-stores';
import { createSqliteRecordStores } from '../../stores/sqlite';
import { FolderBlobs } from '../../../../src/stores/blobs/folder-blobs';
import { importFiles } from '../../../../test/support/imports';
import { makeTempDir, type TempDir } from '../../../../test/support/temp-dir';

let dir: TempDir;
let stores: RecordStores;
let store: RecordStore;
let files: ImportFiles;

function open(folder: string): void {
  stores = createSqliteRecordStores({ folder, busyTimeoutMs: 5_000 });
  store = stores.of(DEFAULT_TENANT);
}

beforeEach(() => {
  dir = makeTempDir();
  open(dir.path);
  files = importFiles(new FolderBlobs(dir.path));
});
afterEach(async () => {
  await stores.close();
  dir.remove();
});

const facility = (id: string, name = id): string =>
  JSON.stringify({
    collection: 'facilities',
    id,
    name,
    kind: 'farm',
    address: { city: 'Aurillac', countryCode: 'FR' },
  });
const shipment = (id: string, from: string, to: string): string =>
  JSON.stringify({
    collection: 'shipments',
    id,
    originFacilityId: from,
    destinationFacilityId: to,
    plannedDepartureAt: '2026-06-01T06:00:00Z',
    contents: [{ product: 'Milk', quantityKilograms: 900 }],
  });

async function begin(rows: readonly string[]): Promise<ImportInput> {
  const startedAt = '2026-06-01T00:00:00.000Z';
  const upload = await files.receive(Readable.from([Buffer.from(rows.join('\n'))]));
  await files.keep('one', upload, {
    startedAt,
    run: { namespaceId: 'here', workflowId: 'import-records/1' },
  });
  return { importId: 'one', startedAt, offset: 0, counts: NOTHING_IMPORTED };
}

async function finish(
  input: ImportInput,
): Promise<{ counts: object; failed: (number | string | undefined)[][] }> {
  for (let { offset, counts, done } = { ...input, done: false }; !done;) {
    ({ offset, counts, done } = await importStep(files, store, { ...input, offset, counts }));
  }
  const { rows, created, present, failed, errors } = (await files.report('one'))!;
  return {
    counts: { rows, created, present, failed },
    failed: errors.map(({ line, field }) => [line, field]),
  };
}

const ROWS = [
  facility('a'),
  shipment('early', 'a', 'b'),
  facility('b'),
  shipment('late', 'a', 'b'),
  facility('a'),
  facility('b', 'Another'),
  shipment('lost', 'a', 'none'),
  shipment('early', 'a', 'b'),
];
const FOUND = {
  counts: { rows: 8, created: 4, present: 1, failed: 3 },
  failed: [
    [2, 'destinationFacilityId'],
    [6, 'id'],
    [7, 'destinationFacilityId'],
  ],
};

test('a row stands on what was there and on rows before it, whatever else is in its step', async () => {
  expect(await finish(await begin(ROWS))).toEqual(FOUND);
  expect(await store.get({ collection: 'shipments', id: 'lost' })).toBeUndefined();
});

test('a byte order mark in front of the rows is ignored', async () => {
  expect((await finish(await begin([`\uFEFF${facility('a')}`]))).counts).toMatchObject({
    created: 1,
    failed: 0,
  });
});

test('a step that is repeated after it wrote comes to the same', async () => {
  const input = await begin(ROWS);
  const note = jest.spyOn(files, 'storeReport').mockRejectedValueOnce(new Error('lost'));
  await expect(importStep(files, store, input)).rejects.toThrow('lost');
  note.mockRestore();
  expect((await store.get({ collection: 'shipments', id: 'early' }))?.version).toBe(1);
  expect(await finish(input)).toEqual(FOUND);
});

test('a record that is twice in a file is created once, also many rows apart', async () => {
  const rows = Array.from({ length: 501 }, (_, n) => facility(`f-${n % 500}`));
  const input = await begin(rows);
  const first = await importStep(files, store, input);
  expect(first).toMatchObject({ done: false, counts: { rows: 500, created: 500 } });
  expect((await finish({ ...input, ...first })).counts).toEqual({
    rows: 501,
    created: 500,
    present: 1,
    failed: 0,
  });
});

test('the last step comes to the same where its end was noted and not told', async () => {
  const input = await begin(ROWS);
  const last = await importStep(files, store, input);
  expect(last.done).toBe(true);
  expect(await importStep(files, store, input)).toEqual(last);
});

test('records and run as they were before go on from there, whatever the report of a later time says', async () => {
  const rows = Array.from({ length: 1_700 }, (_, n) => facility(`f-${n}`));
  const input = await begin(rows);
  const first = await importStep(files, store, input);
  const backup = join(dir.path, 'backup');
  await stores.close();
  mkdirSync(backup);
  copyFileSync(join(dir.path, 'records.db'), join(backup, 'records.db'));
  open(dir.path);
  const second = await importStep(files, store, { ...input, ...first });
  expect((await finish({ ...input, ...second })).counts).toMatchObject({ rows: 1_700, created: 1_700 });
  await stores.close();

  open(backup);
  const again = await importStep(files, store, { ...input, ...first });
  expect(again).toEqual(second);
  expect(await files.report('one')).toMatchObject({ state: 'running', rows: 1_000 });
  expect((await finish({ ...input, ...again })).counts).toMatchObject({ rows: 1_700, created: 1_700 });
  const ids = rows.map((_, n) => `f-${n}`);
  expect((await store.getMany('facilities', ids)).size).toBe(1_700);
});

test('an attempt that was given up writes nothing more, neither records nor the report', async () => {
  const input = await begin(ROWS);
  const reason = new Error('given up');
  const early = new AbortController();
  const looked = jest.spyOn(store, 'getMany').mockImplementationOnce(() => {
    early.abort(reason);
    return Promise.resolve(new Map());
  });
  await expect(importStep(files, store, input, early.signal)).rejects.toBe(reason);
  looked.mockRestore();
  expect(await store.get({ collection: 'facilities', id: 'a' })).toBeUndefined();

  const late = new AbortController();
  const note = jest.spyOn(files, 'storeReport');
  const write = store.write.bind(store);
  const written = jest.spyOn(store, 'write').mockImplementationOnce(async (changes) => {
    const result = await write(changes);
    late.abort(reason);
    return result;
  });
  await expect(importStep(files, store, input, late.signal)).rejects.toBe(reason);
  expect(note).not.toHaveBeenCalled();
  written.mockRestore();
  note.mockRestore();
  expect(await finish(input)).toEqual(FOUND);
});

test('rows of many lots are written in several transactions, and a repeat of half of them comes to the same', async () => {
  const made = (n: number): string => {
    const lots = Array.from({ length: 60 }, (_, lot) => `${n}-${lot}`);
    const contents = ['Milk', 'Cream'].map((product) => ({
      product,
      quantityKilograms: 9,
      sourceLots: lots,
    }));
    return JSON.stringify({ ...(JSON.parse(shipment(`s-${n}`, 'a', 'b')) as object), contents });
  };
  const rows = [facility('a'), facility('b'), ...Array.from({ length: 200 }, (_, n) => made(n))];
  const input = await begin(rows);
  const write = store.write.bind(store);
  const written = jest.spyOn(store, 'write');
  written.mockImplementationOnce(write).mockRejectedValueOnce(new Error('lost'));
  await expect(importStep(files, store, input)).rejects.toThrow('lost');
  written.mockClear();
  expect((await finish(input)).counts).toMatchObject({ rows: 202, created: 202 });
  const entries = written.mock.calls.map(([changes]) =>
    changes
      .flatMap((change) => (change.type === 'put' ? Object.values(change.record.tags) : []))
      .reduce((sum, values) => sum + values.length, 0),
  );
  expect(entries.length).toBeGreaterThan(1);
  expect(Math.max(...entries)).toBeLessThanOrEqual(5_000);
});

test('records to which rows refer are read some at once', async () => {
  const ids = Array.from({ length: 450 }, (_, n) => `f-${n}`);
  const detections = ids.map((facilityId) => ({ facilityId, detectedAt: '2026-06-01T06:00:00Z' }));
  const lead = { collection: 'contaminants', name: 'Lead', class: 'chemical', unit: 'mg/kg', detections };
  await finish(await begin(ids.map((id) => facility(id))));
  const reads = jest.spyOn(store, 'getMany');
  files = importFiles(new FolderBlobs(dir.path), { maxBytes: 1_000_000, maxRowBytes: 100_000 });
  expect((await finish(await begin([JSON.stringify(lead)]))).counts).toMatchObject({ created: 1, failed: 0 });
  const read = reads.mock.calls.map(([, some]) => some.length);
  expect([Math.max(...read), read.reduce((sum, length) => sum + length)]).toEqual([200, 451]);
});
