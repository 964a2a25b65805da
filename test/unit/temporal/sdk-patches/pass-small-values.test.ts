import type { Payload } from '@temporalio/common';
import {
  extstoreInboundOptions,
  extstoreStoreOptions,
  visit,
  walkStartWorkflowExecutionRequest,
} from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { FolderBlobs } from '../../../../src/stores/blobs/folder-blobs';
import { createDataConverter } from '../../../../temporal/payloads/data-converter';
import { makeTempDir } from '../../../support/temp-dir';

const THRESHOLD = 1_024;
const ENCODING = Buffer.from('json/plain');

const initialTarget = { kind: 'workflow', namespace: 'default', id: 'one', runId: 'one' } as const;

function open() {
  const dir = makeTempDir();
  const { externalStorage } = createDataConverter({
    blobs: new FolderBlobs(dir.path),
    namespaceId: () => 'one',
    threshold: THRESHOLD,
  });
  if (externalStorage === undefined) throw new Error('there is no storage');
  const asked = jest.spyOn(externalStorage, 'driverSelector');
  const store = extstoreStoreOptions(externalStorage, { initialTarget });
  const storing = jest.spyOn(store, 'transformPayloads');
  const retrieve = extstoreInboundOptions(externalStorage);
  const retrieving = jest.spyOn(retrieve, 'transformPayloads');
  return { store, retrieve, asked, storing, retrieving, dir };
}

const message = (input: readonly Payload[], memo?: Payload) => ({
  input: { payloads: [...input] },
  ...(memo === undefined ? {} : { memo: { fields: { one: memo } } }),
});

function sizeOf(payload: Payload): number {
  return temporal.api.common.v1.Payload.encode(payload).finish().length;
}

test('a large value among small ones is stored and found again', async () => {
  const { store, retrieve, dir } = open();
  const small: Payload = { metadata: { encoding: ENCODING }, data: Buffer.from('1') };
  const large: Payload = { metadata: { encoding: ENCODING }, data: Buffer.alloc(THRESHOLD, 'a') };

  for (const sent of [message([small, large, small]), message([small], large)]) {
    await visit(sent, walkStartWorkflowExecutionRequest, store);
    const values = [...sent.input.payloads, ...Object.values(sent.memo?.fields ?? {})];
    expect(values.map(sizeOf).filter((bytes) => bytes > THRESHOLD)).toEqual([]);
    await visit(sent, walkStartWorkflowExecutionRequest, retrieve);
    const found = [...sent.input.payloads, ...Object.values(sent.memo?.fields ?? {})];
    expect(found.filter(({ data }) => Buffer.from(data!).equals(large.data!))).toHaveLength(1);
    expect(sent.input.payloads[0]).toBe(small);
  }
  dir.remove();
});

test('a message without large values and references is not visited', async () => {
  const { store, retrieve, storing, retrieving, dir } = open();
  const values: Payload[] = [{}, { metadata: { encoding: ENCODING }, data: Buffer.from('"text"') }];
  const sent = message(values, values[1]);

  await visit(sent, walkStartWorkflowExecutionRequest, store);
  await visit(sent, walkStartWorkflowExecutionRequest, retrieve);
  expect(sent).toEqual(message(values, values[1]));
  expect(storing).not.toHaveBeenCalled();
  expect(retrieving).not.toHaveBeenCalled();
  dir.remove();
});

test('a value counts with its metadata: from the threshold on, the storage is asked', async () => {
  const { store, asked, dir } = open();
  const sized = (bytes: number): Payload => ({
    metadata: { encoding: ENCODING, ['ä'.repeat(100)]: Buffer.alloc(300) },
    data: Buffer.alloc(bytes),
  });
  let bytes = 1;
  while (sizeOf(sized(bytes)) < THRESHOLD) bytes += 1;

  await visit(message([sized(bytes - 1)]), walkStartWorkflowExecutionRequest, store);
  expect(asked).not.toHaveBeenCalled();
  await visit(message([sized(bytes)]), walkStartWorkflowExecutionRequest, store);
  expect(asked).toHaveBeenCalledTimes(1);
  dir.remove();
});
