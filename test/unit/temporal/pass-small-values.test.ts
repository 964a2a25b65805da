import type { Payload } from '@temporalio/common';
import { ExternalStorageRunner } from '@temporalio/common/lib/internal-non-workflow/external-storage-runner';
import { temporal } from '@temporalio/proto';
import { FolderBlobs } from '../../../src/stores/blobs/folder-blobs';
import { createDataConverter } from '../../../temporal/data-converter';
import { makeTempDir } from '../../support/temp-dir';

const THRESHOLD = 1_024;
const ENCODING = Buffer.from('json/plain');

const target = { kind: 'workflow', namespace: 'default', id: 'one', runId: 'one' } as const;

function open() {
  const dir = makeTempDir();
  const { externalStorage } = createDataConverter({
    blobs: new FolderBlobs(dir.path),
    namespaceId: () => 'one',
    threshold: THRESHOLD,
  });
  if (externalStorage === undefined) throw new Error('there is no storage');
  const asked = jest.spyOn(externalStorage, 'driverSelector');
  return { runner: new ExternalStorageRunner(externalStorage), asked, dir };
}

function sizeOf(payload: Payload): number {
  return temporal.api.common.v1.Payload.encode(payload).finish().length;
}

test('a large value among small ones is stored and found again', async () => {
  const { runner, dir } = open();
  const small: Payload = { metadata: { encoding: ENCODING }, data: Buffer.from('1') };
  const large: Payload = { metadata: { encoding: ENCODING }, data: Buffer.alloc(THRESHOLD, 'a') };

  const stored = await runner.store([small, large, small], { target });
  expect(stored[0]).toBe(small);
  expect(sizeOf(stored[1]!)).toBeLessThan(THRESHOLD);
  const found = await runner.retrieve(stored);
  expect(Buffer.from(found[1]!.data!).equals(large.data!)).toBe(true);
  expect(found[2]).toBe(small);
  dir.remove();
});

test('values that are neither large nor references are passed on as they are', async () => {
  const { runner, asked, dir } = open();
  const values: Payload[] = [{}, { metadata: { encoding: ENCODING }, data: Buffer.from('"text"') }];

  expect(await runner.store(values, { target })).toBe(values);
  expect(await runner.retrieve(values)).toBe(values);
  expect(await runner.store([], { target })).toEqual([]);
  expect(asked).not.toHaveBeenCalled();
  dir.remove();
});

test('a value counts with its metadata: from the threshold on, the storage is asked', async () => {
  const { runner, asked, dir } = open();
  const sized = (bytes: number): Payload => ({
    metadata: { encoding: ENCODING, ['ä'.repeat(100)]: Buffer.alloc(300) },
    data: Buffer.alloc(bytes),
  });
  let bytes = 1;
  while (sizeOf(sized(bytes)) < THRESHOLD) bytes += 1;

  await runner.store([sized(bytes - 1)], { target });
  expect(asked).not.toHaveBeenCalled();
  await runner.store([sized(bytes)], { target });
  expect(asked).toHaveBeenCalledTimes(1);
  dir.remove();
});
