import { existsSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageDriverClaim } from '@temporalio/common';
import fc from 'fast-check';
import { FolderBlobs } from '../../../../src/stores/blobs/folder-blobs';
import { LayeredBlobs } from '../../../../src/stores/blobs/layered-blobs';
import { createValueDrivers } from '../../../../temporal/payloads/stored-values';
import { sweepValues, type ValueSweep } from '../../../../temporal/payloads/value-sweeper';
import { makeTempDir, type TempDir } from '../../../support/temp-dir';

let dir: TempDir;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => dir.remove());

const target = (id: string) => ({ target: { kind: 'workflow', namespace: 'default', id } }) as const;
const payload = (bytes: Uint8Array) => ({ metadata: { encoding: Buffer.from('json/plain') }, data: bytes });

const NAMESPACE_ID = '01a1fc51-e269-7ae1-b1db-ce762cf9304d';
const blobs = (): FolderBlobs => new FolderBlobs(dir.path);
const driverOf = (namespaceId = NAMESPACE_ID) => createValueDrivers(blobs(), () => namespaceId)[0];

async function storeOne(
  id: string,
  bytes: Uint8Array,
  namespaceId = NAMESPACE_ID,
): Promise<StorageDriverClaim> {
  const [claim] = await driverOf(namespaceId).store(target(id), [payload(bytes)]);
  if (claim === undefined) throw new Error('nothing was stored');
  return claim;
}

function folderOf({ claimData }: StorageDriverClaim): string {
  return join(dir.path, 'payloads', claimData['namespace'] ?? '', claimData['folder'] ?? '');
}

test('gives back what was stored, also from another process', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.string({ minLength: 1 }), async (bytes, id) => {
      const claim = await storeOne(id, bytes);
      const [back] = await driverOf('of another connection').retrieve({}, [
        new StorageDriverClaim({ ...claim.claimData }),
      ]);
      expect(Buffer.from(back?.data ?? [])).toEqual(Buffer.from(bytes));
      expect(Buffer.from(back?.metadata?.['encoding'] ?? []).toString()).toBe('json/plain');
    }),
    { numRuns: 25 },
  );
});

test('a repeat leaves one value and no half-written file', async () => {
  const claims = await Promise.all([
    storeOne('run/1', Buffer.from('a')),
    storeOne('run/1', Buffer.from('a')),
  ]);
  expect(claims[0]?.claimData).toEqual(claims[1]?.claimData);
  expect(readdirSync(folderOf(claims[0])).sort()).toEqual(
    [claims[0].claimData['name'], 'workflow-id'].sort(),
  );
});

test('a reference leads nowhere but into the folder', async () => {
  const driver = driverOf();
  const hash = 'a'.repeat(64);
  for (const claimData of [
    { namespace: hash, folder: '..', name: 'x' },
    { namespace: hash, folder: hash, name: '../../etc/passwd' },
    { namespace: '../..', folder: hash, name: hash },
    { folder: '../..', name: hash },
    { folder: hash, name: '../../etc/passwd' },
    { namespace: '', folder: hash, name: hash },
    { name: hash },
    {},
  ]) {
    await expect(
      driver.retrieve({}, [new StorageDriverClaim(claimData as Record<string, string>)]),
    ).rejects.toMatchObject({
      type: 'INTERNAL',
      nonRetryable: true,
    });
  }
});

test('a reference of the first builds, which names no namespace, is followed', async () => {
  const { claimData } = await storeOne('run', Buffer.from('abc'));
  const { namespace = '', folder = '', name = '' } = claimData;
  const values = join(dir.path, 'payloads');
  renameSync(join(values, namespace, folder), join(values, folder));
  const [back] = await driverOf().retrieve({}, [new StorageDriverClaim({ folder, name })]);
  expect(Buffer.from(back?.data ?? []).toString()).toBe('abc');
});

test('an altered or missing value is told, not taken', async () => {
  const claim = await storeOne('run', Buffer.from('abc'));
  writeFileSync(join(folderOf(claim), claim.claimData['name'] ?? ''), 'other');
  const driver = driverOf();
  await expect(driver.retrieve({}, [claim])).rejects.toMatchObject({ type: 'INTERNAL', nonRetryable: true });
  const gone = new StorageDriverClaim({ ...claim.claimData, name: 'f'.repeat(64) });
  await expect(driver.retrieve({}, [gone])).rejects.toMatchObject({
    type: 'STORE_UNAVAILABLE',
    nonRetryable: false,
  });
});

test('a reference is followed whatever kind of store it was written to, and in the one that was used before', async () => {
  const claim = await storeOne('moved', Buffer.from('abc'));
  const now = makeTempDir();
  const layered = new LayeredBlobs(new FolderBlobs(now.path), blobs());
  const drivers = createValueDrivers(layered, () => NAMESPACE_ID);
  expect(drivers.map(({ name }) => name)).toEqual(['folder', 's3']);
  for (const driver of drivers) {
    const [back] = await driver.retrieve({}, [claim]);
    expect(Buffer.from(back?.data ?? []).toString()).toBe('abc');
  }
  await drivers[0].store(target('moved'), [payload(Buffer.from('later'))]);
  expect(readdirSync(folderOf(claim))).toHaveLength(2);
  expect(existsSync(join(now.path, 'payloads'))).toBe(true);
  now.remove();
});

describe('sweepValues', () => {
  const DAY = 86_400_000;
  const sweep = (known: readonly string[], now: number, more: Partial<ValueSweep> = {}) =>
    sweepValues({
      blobs: blobs(),
      namespaceId: NAMESPACE_ID,
      retentionMs: DAY,
      isKnown: (id) => Promise.resolve(known.includes(id)),
      now,
      pauseMs: 1,
      ...more,
    });

  function makeOld(claim: StorageDriverClaim): void {
    const old = new Date(Date.now() - 2 * DAY);
    for (const name of readdirSync(folderOf(claim))) utimesSync(join(folderOf(claim), name), old, old);
  }

  test('removes what belongs to no run, and leaves the rest and the young', async () => {
    const kept = await storeOne('kept', Buffer.from('1'));
    const orphan = await storeOne('orphan', Buffer.from('2'));
    expect(await sweep(['kept'], Date.now())).toBe(0);
    expect(await sweep(['kept'], Date.now() + 0.9 * DAY)).toBe(0);
    const later = Date.now() + 2 * DAY;
    expect(await sweep(['kept'], later)).toBe(1);
    expect(existsSync(folderOf(kept))).toBe(true);
    expect(existsSync(folderOf(orphan))).toBe(false);
  });

  test('a value stored again counts as young', async () => {
    const claim = await storeOne('again', Buffer.from('1'));
    makeOld(claim);
    await storeOne('again', Buffer.from('1'));
    expect(await sweep([], Date.now())).toBe(0);
  });

  test('looks at every folder, however many, a few at a time', async () => {
    const ids = Array.from({ length: 57 }, (_, index) => `run-${index}`);
    for (const id of ids) await storeOne(id, Buffer.from(id));
    let asking = 0;
    let most = 0;
    const isKnown = async (id: string): Promise<boolean> => {
      asking += 1;
      most = Math.max(most, asking);
      await new Promise((resolve) => setTimeout(resolve, 1));
      asking -= 1;
      return id === 'run-3';
    };
    expect(await sweep([], Date.now() + 2 * DAY, { isKnown })).toBe(56);
    expect(most).toBeLessThanOrEqual(10);
  });

  test('asks about each folder once a day, and in every sweep when its run may be gone by retention', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `run-${index}`);
    for (const id of ids) await storeOne(id, Buffer.from(id));
    const day = async (from: number): Promise<Map<string, number>> => {
      const questions = new Map<string, number>();
      const isKnown = (id: string): Promise<boolean> => {
        questions.set(id, (questions.get(id) ?? 0) + 1);
        return Promise.resolve(true);
      };
      for (let hour = 0; hour < 24; hour += 1)
        expect(await sweep([], from + hour * 3_600_000, { isKnown, retentionMs: 30 * DAY })).toBe(0);
      return questions;
    };
    const young = await day(Date.now() + 2 * DAY);
    expect([young.size, ...new Set(young.values())]).toEqual([60, 1]);
    const late = await day(Date.now() + 31 * DAY);
    expect([late.size, ...new Set(late.values())]).toEqual([60, 24]);
  });

  test('removes within a day what a run that somebody deleted has left', async () => {
    const orphan = await storeOne('deleted', Buffer.from('1'));
    const from = Date.now() + 2 * DAY;
    let removed = 0;
    for (let hour = 0; hour < 24; hour += 1)
      removed += await sweep([], from + hour * 3_600_000, { retentionMs: 30 * DAY });
    expect(removed).toBe(1);
    expect(existsSync(folderOf(orphan))).toBe(false);
  });

  test('leaves alone what another server or namespace stored under the same workflow id', async () => {
    const here = await storeOne('same', Buffer.from('1'));
    const there = await storeOne('same', Buffer.from('1'), 'the id of another namespace');
    expect(folderOf(here)).not.toBe(folderOf(there));
    expect(await sweep([], Date.now() + 2 * DAY)).toBe(1);
    expect(existsSync(folderOf(here))).toBe(false);
    expect(existsSync(folderOf(there))).toBe(true);
  });

  test('keeps what came to be used again while the server was asked', async () => {
    const claim = await storeOne('reused', Buffer.from('1'));
    makeOld(claim);
    const isKnown = async (): Promise<boolean> => {
      await storeOne('reused', Buffer.from('2'));
      return false;
    };
    expect(await sweep([], Date.now(), { isKnown })).toBe(0);
    expect(existsSync(folderOf(claim))).toBe(true);
  });

  test('ends when it is told to, and finds nothing if there is no folder', async () => {
    await storeOne('a', Buffer.from('a'));
    const later = Date.now() + 2 * DAY;
    expect(await sweep([], later, { signal: AbortSignal.abort() })).toBe(0);
    expect(await sweep([], later, { blobs: new FolderBlobs(join(dir.path, 'none')) })).toBe(0);
  });

  test('removes nothing while the server cannot be asked', async () => {
    const claim = await storeOne('a', Buffer.from('a'));
    const isKnown = (): Promise<boolean> => Promise.reject(new Error('away'));
    await expect(sweep([], Date.now() + 2 * DAY, { isKnown })).rejects.toThrow('away');
    expect(existsSync(folderOf(claim))).toBe(true);
  });

  test('one folder that cannot be asked about does not keep the others', async () => {
    await storeOne('odd', Buffer.from('1'));
    await storeOne('orphan', Buffer.from('2'));
    const isKnown = (id: string): Promise<boolean> =>
      id === 'odd' ? Promise.reject(new Error('unreadable')) : Promise.resolve(false);
    expect(await sweep([], Date.now() + 2 * DAY, { isKnown })).toBe(1);
  });
});
