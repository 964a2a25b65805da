import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { HoldfastError } from '../../../../src/base/errors';
import { createLivingProcesses } from '../../../../src/memory/stores/living-processes';
import {
  createStoreRecords,
  effectiveSettings,
  type Initialization,
  type StoreRecord,
} from '../../../../src/memory/stores/record';
import { createStoreChanges, type StoreChanges } from '../../../../src/memory/stores/store-changes';
import { createSecretBox } from '../../../../src/secrets/secret-box';
import { createWriteGate } from '../../../../src/stores/write-gate';
import type { DocumentStore, DocumentWrite, StoredDocument } from '../../../../src/stores/documents';

const SECOND = 1_000;
const secrets = createSecretBox(randomBytes(32));
const never = new AbortController().signal;
/** Rounds happen only where a test makes them. */
const NO_ROUNDS_MS = 2_000_000_000;

/** Documents that all processes of a test share. */
class SharedDocuments implements Pick<DocumentStore, 'get' | 'list' | 'write'> {
  readonly #all = new Map<string, StoredDocument>();

  get<T>(collection: string, key: string): Promise<StoredDocument<T> | undefined> {
    return Promise.resolve(this.#all.get(`${collection}/${key}`) as StoredDocument<T> | undefined);
  }

  list<T>(collection: string): Promise<StoredDocument<T>[]> {
    const own = [...this.#all].filter(([name]) => name.startsWith(`${collection}/`));
    return Promise.resolve(own.map(([, document]) => document as StoredDocument<T>));
  }

  write(writes: readonly DocumentWrite[]): Promise<boolean> {
    for (const { collection, key, ...write } of writes) {
      const name = `${collection}/${key}`;
      const version = this.#all.get(name)?.version ?? 0;
      if (write.ifVersion !== undefined && write.ifVersion !== version) return Promise.resolve(false);
      if (write.type === 'delete') this.#all.delete(name);
      else this.#all.set(name, { key, version: version + 1, value: write.value });
    }
    return Promise.resolve(true);
  }
}

interface Process {
  readonly changes: StoreChanges;
  /** The store that it uses. */
  store: string;
  /** Whether it was killed or cannot reach the documents. */
  isAway: boolean;
  /** Begins a write. @returns ends it @throws HoldfastError if writes are refused */
  beginWrite(): Promise<() => Promise<void>>;
  /** Asks for a change and does not wait for its end. */
  ask(store: string): Promise<void>;
}

const initializationOf = (model: string): Initialization[] => [
  { area: 'agent', at: '2026-01-01T00:00:00.000Z', settings: { embedding: { model } } },
];
const storeOf = (record: Pick<StoreRecord, 'initializations'>): string =>
  effectiveSettings(record).embedding?.model ?? 'first';

/** Processes of one service, with one clock. */
async function startProcesses(count: number) {
  let time = 0;
  let ids = 0;
  const documents = new SharedDocuments();
  const warnings: string[] = [];

  async function start(): Promise<Process> {
    const reach = <T>(work: () => Promise<T>): Promise<T> =>
      process.isAway ? Promise.reject(new HoldfastError('STORE_UNAVAILABLE', 'away')) : work();
    const own = {
      get: <T>(collection: string, key: string) => reach(() => documents.get<T>(collection, key)),
      list: <T>(collection: string) => reach(() => documents.list<T>(collection)),
      write: (writes: readonly DocumentWrite[]) => reach(() => documents.write(writes)),
    };
    const records = createStoreRecords({ documents: own, secrets, toFormer: () => [] });
    const newId = () => `id-${(ids += 1)}`;
    const gate = createWriteGate(() => changes.mayWrite());
    const changes = createStoreChanges({
      records,
      processes: createLivingProcesses({ documents: own, newId, now: () => time }),
      newId,
      now: () => time,
      everyMs: NO_ROUNDS_MS,
      isIdle: () => gate.isIdle(),
      formerAfter: () => Promise.resolve([]),
      switchTo: (record) => {
        process.store = storeOf(record);
        return Promise.resolve();
      },
      logger: { warn: (entry: unknown) => void warnings.push(String(entry)) } as never,
    });
    const process: Process = {
      changes,
      store: '',
      isAway: false,
      async beginWrite() {
        let end: () => void = () => undefined;
        const held = new Promise<void>((resolve) => (end = resolve));
        const written = gate.run(() => held);
        // A refused write has rejected by now.
        await Promise.race([written, Promise.resolve()]);
        return () => {
          end();
          return written;
        };
      },
      async ask(store) {
        const abandoned = new AbortController();
        const before = await changes.settled(never);
        const asked = changes.change(before, initializationOf(store), abandoned.signal);
        abandoned.abort(new Error('the caller has left'));
        await asked.catch(() => undefined);
      },
    };
    await changes.record();
    return process;
  }

  const all: Process[] = [];
  for (let n = 0; n < count; n += 1) all.push(await start());
  const living = (): Process[] => all.filter(({ isAway }) => !isAway);
  return {
    all,
    start,
    warnings,
    /** Time passes, in which the living processes make their rounds. */
    async pass(ms: number, stepMs = 5 * SECOND) {
      for (const end = time + ms; time < end;) {
        time = Math.min(end, time + stepMs);
        for (const { changes } of living()) await changes.readNow();
      }
    },
    wait: (ms: number) => void (time += ms),
    async stop() {
      for (const { changes } of all) await changes.stop();
    },
  };
}

let service: Awaited<ReturnType<typeof startProcesses>>;
afterEach(() => service.stop());

const REFUSED = { code: 'STORE_UNAVAILABLE', retryable: true };
const isRefused = (process: Process): Promise<void> =>
  expect(process.beginWrite()).rejects.toMatchObject(REFUSED);
const stores = (processes: readonly Process[]): string[] => processes.map(({ store }) => store);

test('a change waits for the running writes of every process, and refuses new ones meanwhile', async () => {
  service = await startProcesses(3);
  const [asker, writer, other] = service.all as [Process, Process, Process];
  const end = await writer.beginWrite();
  await asker.ask('second');
  await service.pass(5 * SECOND, SECOND);
  for (const process of service.all) await isRefused(process);
  expect(stores(service.all)).toEqual(['first', 'first', 'first']);
  await end();
  await service.pass(2 * SECOND, SECOND);
  expect(stores(service.all)).toEqual(['second', 'second', 'second']);
  for (const process of service.all) await (await process.beginWrite())();
  expect(other.changes.mayWrite()).toBe(true);
});

test('a change resolves when every process uses its stores', async () => {
  service = await startProcesses(2);
  const [asker, other] = service.all as [Process, Process];
  const made = asker.changes.change(await asker.changes.record(), initializationOf('second'), never);
  let isMade = false;
  void made.then(() => (isMade = true));
  while (!isMade) await other.changes.readNow().then(() => new Promise((resolve) => setImmediate(resolve)));
  expect(stores(service.all)).toEqual(['second', 'second']);
  expect(await asker.changes.change({ ...(await asker.changes.record()), version: 1 }, [], never)).toBe(
    false,
  );
});

test('a dead process is waited for as long as it may write, and no longer', async () => {
  service = await startProcesses(3);
  const [asker, dead] = service.all as [Process, Process];
  dead.isAway = true;
  await asker.ask('second');
  await service.pass(29 * SECOND, SECOND);
  expect(asker.store).toBe('first');
  await isRefused(dead);
  await service.pass(4 * SECOND, SECOND);
  expect(asker.store).toBe('second');
});

test('another process completes the change of one that dies', async () => {
  service = await startProcesses(2);
  const [asker, other] = service.all as [Process, Process];
  await asker.ask('second');
  asker.isAway = true;
  await service.pass(29 * SECOND, SECOND);
  expect(other.store).toBe('first');
  await service.pass(4 * SECOND, SECOND);
  expect(other.store).toBe('second');
  await (
    await other.beginWrite()
  )();
});

test('a change that a process does not let happen is given up, and writes continue where they were', async () => {
  service = await startProcesses(2);
  const [asker, hanging] = service.all as [Process, Process];
  await hanging.beginWrite();
  const made = asker.changes.change(await asker.changes.record(), initializationOf('second'), never);
  const outcome = expect(made).rejects.toMatchObject(REFUSED);
  await service.pass(130 * SECOND);
  await outcome;
  expect(service.warnings).toHaveLength(1);
  for (const process of service.all) await process.beginWrite();
  expect(stores(service.all)).toEqual(['first', 'first']);
});

test('a process that cannot read the record refuses writes until it has read it, in the stores of now', async () => {
  service = await startProcesses(2);
  const [asker, lost] = service.all as [Process, Process];
  lost.isAway = true;
  service.wait(19 * SECOND);
  await (
    await lost.beginWrite()
  )();
  service.wait(2 * SECOND);
  await isRefused(lost);
  await asker.ask('second');
  await service.pass(40 * SECOND, SECOND);
  expect(asker.store).toBe('second');
  lost.isAway = false;
  await isRefused(lost);
  await lost.changes.readNow();
  expect(lost.store).toBe('second');
  await (
    await lost.beginWrite()
  )();
});

test('a process that starts during a change writes only to the stores after it', async () => {
  service = await startProcesses(2);
  const [asker, writer] = service.all as [Process, Process];
  const end = await writer.beginWrite();
  await asker.ask('second');
  const late = await service.start();
  service.all.push(late);
  await isRefused(late);
  await end();
  await service.pass(3 * SECOND, SECOND);
  expect(stores(service.all)).toEqual(['second', 'second', 'second']);
});

type Action =
  | { readonly does: 'round' | 'write' | 'end' | 'ask' | 'away' | 'back'; readonly process: number }
  | { readonly does: 'wait'; readonly ms: number };
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('round', 'round', 'round', 'write', 'write', 'end', 'end', 'ask', 'away', 'back'),
      process: fc.nat(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(250, 9_000, 15_000) }),
  },
);

test('whatever happens, no process writes to a store after another one has written to its successor', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 120 }), async (actions) => {
      service = await startProcesses(3);
      const running: { readonly by: Process; readonly order: number; readonly end: () => Promise<void> }[] =
        [];
      const order = ['first'];
      let latest = 0;
      for (const each of actions) {
        if (each.does === 'wait') {
          // A write takes less time than a process may be silent, as calls of stores have time limits.
          for (const { end } of running.splice(0)) await end();
          service.wait(each.ms);
          continue;
        }
        const by = service.all[each.process]!;
        if (each.does === 'round') await by.changes.readNow().catch(() => undefined);
        else if (each.does === 'away' || each.does === 'back') by.isAway = each.does === 'away';
        else if (each.does === 'end') await running.splice(0, 1)[0]?.end();
        else if (each.does === 'ask') {
          const record = await by.changes.readNow().catch(() => undefined);
          if (record === undefined || record.next !== undefined) continue;
          const next = `store-${order.length}`;
          order.push(next);
          await by.ask(next).catch(() => undefined);
        } else {
          const end = await by.beginWrite().catch(() => undefined);
          if (end === undefined) continue;
          const at = order.indexOf(by.store);
          expect(at).toBeGreaterThanOrEqual(latest);
          latest = at;
          expect(running.filter((other) => other.order !== at)).toEqual([]);
          running.push({ by, order: at, end });
        }
      }
      for (const { end } of running) await end();
      await service.stop();
    }),
    { numRuns: 300 },
  );
});
