import { createHash } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import {
  lengthOf,
  loadText,
  readParts,
  StoredJson,
  writeJson,
} from '../../../../temporal/payloads/stored-json';

const admitAll = (): Promise<void> => Promise.resolve();

function blobOf(payload: Payload): Buffer {
  return Buffer.from(temporal.api.common.v1.Payload.encode(payload).finish());
}

async function open(
  blob: Buffer,
  digest = createHash('sha256').update(blob).digest('hex'),
): Promise<StoredJson | undefined> {
  return StoredJson.open({
    blobs: {
      getRange: (_, offset, length) => Promise.resolve(blob.subarray(offset, offset + length)),
    },
    key: 'k',
    digest,
    missing: () => new Error('missing'),
    altered: () => new Error('altered'),
  });
}

async function stored(value: unknown): Promise<StoredJson> {
  const found = await open(blobOf(defaultPayloadConverter.toPayload(value)));
  if (found === undefined) throw new Error('the value is not JSON');
  return found;
}

async function textOf(value: unknown): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of readParts(writeJson(value))) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

const LARGE = { text: 'ä😀"'.repeat(200_000), list: [1, 2, 3] };

test.each([LARGE, {}, [], 'text', 5, null])(
  'is written as it is stored, wherever it stands (%#)',
  async (value) => {
    const one = await stored(value);
    expect(one.bytes).toBe(Buffer.byteLength(JSON.stringify(value)));
    const holder = { before: 1, result: one, list: [one, 'after'] };
    const text = JSON.stringify({ before: 1, result: value, list: [value, 'after'] });
    expect(await textOf(holder)).toBe(text);
    expect(lengthOf(writeJson(holder))).toBe(Buffer.byteLength(text));
    expect(await loadText(holder, admitAll)).toBe(text);
    expect(await one.load(admitAll)).toEqual(value);
  },
);

test('room is asked for before it is read into memory', async () => {
  const one = await stored(LARGE);
  const refused = new Error('busy');
  let asked = 0;
  const admit = (bytes: number): Promise<void> => {
    asked = bytes;
    return Promise.reject(refused);
  };
  await expect(one.load(admit)).rejects.toBe(refused);
  expect(asked).toBeGreaterThanOrEqual(one.bytes);
  await expect(loadText({ one }, admit)).rejects.toBe(refused);
});

test('a value that was altered is never given whole', async () => {
  const blob = blobOf(defaultPayloadConverter.toPayload(LARGE));
  const digest = createHash('sha256').update(blob).digest('hex');
  blob[blob.length - 10] = 0x20;
  const one = await open(blob, digest);
  await expect(one?.load(admitAll)).rejects.toThrow('altered');
  const cut = await open(blob.subarray(0, 500_000), digest);
  await expect(cut?.load(admitAll)).rejects.toThrow('altered');
});

test('what is not JSON is not opened', async () => {
  const payload = defaultPayloadConverter.toPayload(new Uint8Array([1, 2, 3]));
  expect(await open(blobOf(payload))).toBeUndefined();
  expect(await open(Buffer.from('no message'))).toBeUndefined();
});

test('other code cannot write it by mistake', async () => {
  const one = await stored(LARGE);
  expect(() => JSON.stringify({ one })).toThrow('has to be loaded');
});

test('its beginning is read with it', async () => {
  expect((await stored(LARGE)).beginning).toMatch(/^\{"text":"ä😀/);
  expect((await stored([1])).beginning).toBe('[1]');
});

test('the value of the last field is read alone, and only if the whole is what was stored', async () => {
  const blob = blobOf(
    defaultPayloadConverter.toPayload({ step: 's', logs: [',"output":'], executionTime: 5, output: LARGE }),
  );
  const { value: output, before } = (await open(blob))?.lastField('output') ?? {};
  expect(before).toEqual({ step: 's', logs: [',"output":'], executionTime: 5 });
  expect(output?.bytes).toBe(Buffer.byteLength(JSON.stringify(LARGE)));
  expect(await textOf(output)).toBe(JSON.stringify(LARGE));
  expect(await output?.load(admitAll)).toEqual(LARGE);
  expect((await open(blob))?.lastField('outcome')).toBeUndefined();
  const altered = (await open(blob, '0'.repeat(64)))?.lastField('output')?.value;
  await expect(textOf(altered)).rejects.toThrow('altered');
});

test('a field of an object within the object is not its last field', async () => {
  const blob = blobOf(defaultPayloadConverter.toPayload({ step: { id: 's', output: 1 }, output: LARGE }));
  expect((await open(blob))?.lastField('output')).toBeUndefined();
});
