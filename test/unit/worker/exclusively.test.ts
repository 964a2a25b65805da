import { join } from 'node:path';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import type { Chore } from '../../../worker/housekeeping';
import { exclusively } from '../../../worker/exclusively';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let dir: TempDir;
const stores: DocumentStore[] = [];
let clock: number;
let rounds: string[];
beforeEach(() => {
  dir = makeTempDir();
  clock = 1_800_000_000_000;
  rounds = [];
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  dir.remove();
});

/** The same chore in another process. */
function process(
  name: string,
  run: Chore['run'] = () => Promise.resolve(3),
  more: Partial<Chore> = {},
): Chore {
  const store = createDocumentStore({ path: join(dir.path, 'holdfast.db') });
  stores.push(store);
  const chore: Chore = {
    name: 'what is left',
    everyMs: HOUR_MS,
    ...more,
    run: (signal) => {
      rounds.push(name);
      return run(signal);
    },
  };
  return exclusively(chore, store, () => clock);
}

const running = (): AbortSignal => new AbortController().signal;

test('of processes that begin together one does the round, and another when the interval is over', async () => {
  const [a, b, c] = [process('a'), process('b'), process('c')];
  const removed = await Promise.all([a, b, c].map((chore) => chore.run(running())));
  expect(removed.sort()).toEqual([0, 0, 3]);
  clock += HOUR_MS / 2;
  expect(await a.run(running())).toBe(0);
  expect(rounds).toHaveLength(1);
  clock += HOUR_MS / 2 - 1_000;
  expect(await c.run(running())).toBe(3);
  expect(rounds).toHaveLength(2);
});

test('nobody begins while another is at it; where that one died, somebody does after a while', async () => {
  const died = process('died', () => new Promise(() => undefined));
  void died.run(running());
  const other = process('other');
  while (rounds.length === 0) await new Promise((resolve) => setImmediate(resolve));
  clock += 9 * MINUTE_MS;
  expect(await other.run(running())).toBe(0);
  clock += 2 * MINUTE_MS;
  expect(await other.run(running())).toBe(3);
  expect(rounds).toEqual(['died', 'other']);
});

test('a round that failed or was broken off is done by the next that comes', async () => {
  const failing = process('failing', () => Promise.reject(new Error('away')));
  await expect(failing.run(running())).rejects.toThrow('away');
  expect(await process('stopped').run(AbortSignal.abort())).toBe(3);
  expect(await process('whole').run(running())).toBe(3);
  expect(await process('late').run(running())).toBe(0);
  expect(rounds).toEqual(['failing', 'stopped', 'whole']);
});

test('a chore whose rounds are days apart is repeated at the next look where it failed', async () => {
  const daily = { dueMs: 24 * HOUR_MS };
  let isAway = true;
  const chore = process('a', () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(3)), daily);
  await expect(chore.run(running())).rejects.toThrow('away');
  isAway = false;
  clock += HOUR_MS;
  expect(await chore.run(running())).toBe(3);
  clock += 23 * HOUR_MS;
  expect(await process('b', undefined, daily).run(running())).toBe(0);
  clock += HOUR_MS;
  expect(await process('c', undefined, daily).run(running())).toBe(3);
});

test('nothing is done where nobody can tell whose turn it is', async () => {
  const chore = process('a');
  await stores[0]?.close();
  await expect(chore.run(running())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(rounds).toEqual([]);
});
