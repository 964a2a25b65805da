import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowNotFoundError } from '@temporalio/common';
import { StorageDriverClaim } from '@temporalio/common';
import fc from 'fast-check';
import { createPayloadFolder } from '../../../temporal/payload-folder';
import { sweepPayloads } from '../../../temporal/payload-sweeper';
import type { TempDir } from '../../support/temp-dir';
import { makeTempDir } from '../../support/temp-dir';

let dir: TempDir;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => dir.remove());

const target = (id: string) => ({ target: { kind: 'workflow', namespace: 'default', id } }) as const;
const payload = (bytes: Uint8Array) => ({ metadata: { encoding: Buffer.from('json/plain') }, data: bytes });

async function storeOne(id: string, bytes: Uint8Array): Promise<StorageDriverClaim> {
  const [claim] = await createPayloadFolder(dir.path).store(target(id), [payload(bytes)]);
  if (claim === undefined) throw new Error('nothing was stored');
  return claim;
}

test('gives back what was stored, also from another process', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.string({ minLength: 1 }), async (bytes, id) => {
      const claim = await storeOne(id, bytes);
      const [back] = await createPayloadFolder(dir.path).retrieve({}, [
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
  const folder = join(dir.path, claims[0]?.claimData['folder'] ?? '');
  expect(readdirSync(folder).sort()).toEqual([claims[0]?.claimData['name'], 'workflow-id'].sort());
});

test('a reference leads nowhere but into the folder', async () => {
  const driver = createPayloadFolder(dir.path);
  for (const claimData of [
    { folder: '..', name: 'x' },
    { folder: 'a'.repeat(64), name: '../../etc/passwd' },
    {},
  ]) {
    await expect(
      driver.retrieve({}, [new StorageDriverClaim(claimData as Record<string, string>)]),
    ).rejects.toMatchObject({
      code: 'INTERNAL',
    });
  }
});

test('an altered or missing value is told, not taken', async () => {
  const claim = await storeOne('run', Buffer.from('abc'));
  const { folder = '', name = '' } = claim.claimData;
  writeFileSync(join(dir.path, folder, name), 'other');
  const driver = createPayloadFolder(dir.path);
  await expect(driver.retrieve({}, [claim])).rejects.toMatchObject({ code: 'INTERNAL' });
  const gone = new StorageDriverClaim({ folder, name: 'f'.repeat(64) });
  await expect(driver.retrieve({}, [gone])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

describe('sweepPayloads', () => {
  const HOUR = 3_600_000;
  const client = (known: readonly string[]) => ({
    workflow: {
      getHandle: (id: string) => ({
        describe: () =>
          known.includes(id)
            ? Promise.resolve({})
            : Promise.reject(new WorkflowNotFoundError('gone', id, undefined)),
      }),
    },
  });
  const sweep = (known: readonly string[], now: number, limit = 100) =>
    sweepPayloads({ root: dir.path, client: client(known) as never, now, limit });

  test('removes what belongs to no run, and leaves the rest and the young', async () => {
    const kept = await storeOne('kept', Buffer.from('1'));
    const orphan = await storeOne('orphan', Buffer.from('2'));
    expect(await sweep(['kept'], Date.now())).toBe(0);
    const later = Date.now() + 2 * HOUR;
    expect(await sweep(['kept'], later)).toBe(1);
    expect(existsSync(join(dir.path, kept.claimData['folder'] ?? ''))).toBe(true);
    expect(existsSync(join(dir.path, orphan.claimData['folder'] ?? ''))).toBe(false);
  });

  test('a value stored again counts as young', async () => {
    const claim = await storeOne('again', Buffer.from('1'));
    const old = new Date(Date.now() - 2 * HOUR);
    utimesSync(join(dir.path, claim.claimData['folder'] ?? ''), old, old);
    await storeOne('again', Buffer.from('1'));
    expect(await sweep([], Date.now())).toBe(0);
  });

  test('looks at no more folders than it may, and at none where there is no folder', async () => {
    for (const id of ['a', 'b', 'c']) await storeOne(id, Buffer.from(id));
    expect(await sweep([], Date.now() + 2 * HOUR, 2)).toBe(2);
    expect(
      await sweepPayloads({ root: join(dir.path, 'none'), client: client([]) as never, now: 0, limit: 1 }),
    ).toBe(0);
  });

  test('removes nothing while the server cannot be asked', async () => {
    await storeOne('a', Buffer.from('a'));
    const broken = { workflow: { getHandle: () => ({ describe: () => Promise.reject(new Error('away')) }) } };
    const options = { root: dir.path, client: broken as never, now: Date.now() + 2 * HOUR, limit: 10 };
    await expect(sweepPayloads(options)).rejects.toThrow('away');
    expect(readdirSync(dir.path)).toHaveLength(1);
  });
});
