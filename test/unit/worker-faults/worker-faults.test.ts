import { join } from 'node:path';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import { createRunStrikes, readWorkerFaults } from '../../../src/worker-faults/strikes';
import { createTally } from '../../../src/worker-faults/tally';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const HOUR_MS = 3_600_000;

let dir: TempDir;
let stores: DocumentStore[];
let clock: number;
beforeEach(() => {
  dir = makeTempDir();
  clock = 1_800_000_000_000;
  stores = [1, 2].map(() => createDocumentStore({ path: join(dir.path, 'holdfast.db') }));
});
afterEach(async () => {
  for (const store of stores) await store.close();
  dir.remove();
});

describe('strikes', () => {
  test('of several processes add up, each counted once however often it is reported', async () => {
    const [one, other] = stores.map((store) => createRunStrikes(store, () => clock));
    const counts = await Promise.all([
      one!.add('run', 'after 4', 'a'),
      other!.add('run', 'after 4', 'b'),
      one!.add('run', 'after 4', 'a'),
    ]);
    expect(Math.max(...counts)).toBe(2);
    expect(await other!.add('run', 'after 4', 'a')).toBe(2);
    expect(await one!.add('another', 'after 4', 'a')).toBe(1);
  });

  test('are forgotten once the run has completed the task', async () => {
    const strikes = createRunStrikes(stores[0]!, () => clock);
    expect(await strikes.add('run', 'after 4', 'a')).toBe(1);
    expect(await strikes.add('run', 'after 10', 'b')).toBe(1);
    expect(await strikes.add('run', 'after 10', 'c')).toBe(2);
  });

  test('expire after an hour, and so does their document', async () => {
    const strikes = createRunStrikes(stores[0]!, () => clock);
    await strikes.add('run', 'after 4', 'a');
    clock += HOUR_MS - 1;
    expect(await strikes.add('run', 'after 4', 'b')).toBe(2);
    clock += 1;
    expect(await strikes.add('run', 'after 4', 'c')).toBe(2);
    clock += HOUR_MS;
    expect(await strikes.add('run', 'after 4', 'd')).toBe(1);
    expect(await stores[0]!.removeExpired(clock + HOUR_MS, 10)).toBe(1);
  });
});

describe('tallies', () => {
  test('of several processes are one, with each event once and the last one shown', async () => {
    const [one, other] = stores.map((store) => createTally(store, 'abnormal-ends', () => clock));
    expect(await readWorkerFaults(stores[0]!)).toEqual({
      abnormalEnds: { count: 0 },
      endedRuns: { count: 0 },
    });
    const counted = await Promise.all([
      one!.add('a', 'first'),
      other!.add('a', 'first'),
      other!.add('b', 'second'),
    ]);
    expect(counted.filter(Boolean)).toHaveLength(2);
    clock += 1_000;
    expect(await one!.add('c', 'SIGABRT')).toBe(true);
    const last = { at: new Date(clock).toISOString(), reason: 'SIGABRT' };
    expect(await readWorkerFaults(stores[1]!)).toEqual({
      abnormalEnds: { count: 3, last },
      endedRuns: { count: 0 },
    });
  });
});
