import type { Payload, StorageDriverTargetInfo } from '@temporalio/common';
import { FolderBlobs } from '../../../../src/stores/blobs/folder-blobs';
import { createDataConverter } from '../../../../temporal/payloads/data-converter';
import { makeTempDir } from '../../../support/temp-dir';

const THRESHOLD = 32_768;
const MEBIBYTE = 1_048_576;

/** Whether a value of a run is stored beside its history, in the order of the questions. */
function openSelector() {
  const dir = makeTempDir();
  const { externalStorage } = createDataConverter({
    blobs: new FolderBlobs(dir.path),
    namespaceId: () => 'one',
    threshold: THRESHOLD,
  });
  dir.remove();
  if (externalStorage === undefined) throw new Error('there is no storage');
  const isStored = (bytes: number, runId?: string): boolean => {
    if (bytes < externalStorage.payloadSizeThreshold) return false;
    const target: StorageDriverTargetInfo = {
      kind: 'workflow',
      namespace: 'default',
      id: 'w',
      ...(runId ? { runId } : {}),
    };
    const payload: Payload = { metadata: {}, data: new Uint8Array(bytes) };
    return externalStorage.driverSelector({ target }, payload) !== null;
  };
  return { isStored };
}

test('up to the threshold a value is in history, above it beside', () => {
  const { isStored } = openSelector();
  expect([isStored(8_192, 'a'), isStored(THRESHOLD - 1, 'a'), isStored(THRESHOLD, 'a')]).toEqual([
    false,
    false,
    true,
  ]);
});

test('a run of many values keeps 4 MiB of them in history, and small ones; other runs do not feel it', () => {
  const { isStored } = openSelector();
  let inline = 0;
  for (let value = 0; value < 2_000; value += 1) if (!isStored(32_000, 'large')) inline += 32_000;
  expect(inline).toBeLessThanOrEqual(4 * MEBIBYTE);
  expect(inline).toBeGreaterThan(4 * MEBIBYTE - 32_000);
  expect([isStored(32_000, 'large'), isStored(2_047, 'large'), isStored(32_000, 'other')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('inputs of runs that have no id yet are judged each by itself', () => {
  const { isStored } = openSelector();
  for (let value = 0; value < 500; value += 1) expect(isStored(32_000)).toBe(false);
});

test('no more than so many runs are counted at a time', () => {
  const { isStored } = openSelector();
  isStored(32_000, 'first');
  for (let n = 0; n < 200; n += 1) isStored(32_000, 'first');
  expect(isStored(32_000, 'first')).toBe(true);
  for (let n = 0; n < 10_000; n += 1) isStored(2_048, `run ${n}`);
  expect(isStored(32_000, 'first')).toBe(false);
});
