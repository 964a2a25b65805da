import { setTimeout as delay } from 'node:timers/promises';
import { CONFLICT, untilNoConflict } from './compare-and-set';
import type { DocumentWrite, StoredDocument, TenantDocuments } from './documents';
import { pagesUnder } from './list-under';

/**
 * Counters that many processes increase at once, without waiting for each other. Each process counts in separate documents
 * (shards), with new ones in every minute, and a reader adds them to the totals. Shards of past minutes are added to the stored
 * totals and deleted ("rolled up"), whether or not the process that wrote them still runs.
 *
 * Every roll-up writes the totals only if they still have the version that it read. So a reader that finds the same version
 * before and after it read the shards has counted everything exactly once.
 */
export interface ShardsOptions {
  readonly documents: TenantDocuments;
  /** Names the counted data, for errors. */
  readonly what: string;
  /** The collection of the shards. */
  readonly shards: string;
  /** The document of the totals. It is never deleted. */
  readonly totals: { readonly collection: string; readonly key: string };
  /** Identifies this process since its start; no other process ever has the same name. It must not contain a slash. */
  readonly process: string;
  /** Returns the current time, epoch milliseconds. */
  readonly now: () => number;
}

export interface Shard<S> {
  /** The minute since 1970 in which the process counted. */
  readonly minute: number;
  /** The name that was passed to `keyOf`. */
  readonly name: string;
  readonly value: S;
}

/** The result of adding shards: the new totals, and further writes. */
export interface RolledUp<T> {
  readonly totals: T;
  /** Writes that are made in the same batch. They must name neither the totals nor shards. */
  readonly writes: readonly DocumentWrite[];
}

/** All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface Shards<T, S> {
  /** The key of this process's document for counts under `name` at the time `at` (epoch milliseconds). */
  keyOf(at: number, name?: string): string;
  /** Lists all shards of all processes. A roll-up may change them meanwhile. */
  list(): Promise<Shard<S>[]>;
  /** Reads totals and shards, and calls `read` to read related data, all in the state of one moment. */
  readAll<R>(read: (totals: T | undefined, shards: readonly Shard<S>[]) => Promise<R>): Promise<R>;
  /**
   * Adds shards of past minutes to the totals, up to 200 in a transaction, until no such shard is left or `signal` aborts.
   * @returns the number of shards that were added
   */
  rollUp(
    add: (totals: T | undefined, shards: readonly Shard<S>[]) => Promise<RolledUp<T>>,
    signal: AbortSignal,
  ): Promise<number>;
}

const MINUTE_MS = 60_000;
/** The number of digits of a minute in a key, so that keys sort by time. It is enough until the year 2160. */
const MINUTE_DIGITS = 8;
/** A shard is rolled up one minute after the end of its own minute, so that writes in progress have been stored by then. */
const OVER_AFTER_MINUTES = 2;
const MAX_ROLLED_UP_AT_ONCE = 200;
/** The pause between two transactions, in which a reader can read all shards. */
const PAUSE_MS = 50;

export function createShards<T, S>(options: ShardsOptions): Shards<T, S> {
  const { documents, what, shards: collection, process, now } = options;

  async function readTotals(): Promise<StoredDocument<T> | undefined> {
    const { totals } = options;
    return (await documents.getMany<T>(totals.collection, [totals.key])).get(totals.key);
  }

  async function list(): Promise<Shard<S>[]> {
    const shards: Shard<S>[] = [];
    for await (const page of pagesUnder<S>(documents, collection, '')) shards.push(...page.map(toShard));
    return shards;
  }

  /** Lists the oldest shards that can be rolled up. */
  async function listPastShards(): Promise<StoredDocument<S>[]> {
    const before = minuteText(Math.floor(now() / MINUTE_MS) - OVER_AFTER_MINUTES + 1);
    const shards = await documents.list<S>(collection, { limit: MAX_ROLLED_UP_AT_ONCE });
    return shards.filter(({ key }) => key < before);
  }

  return {
    keyOf: (at, name = '') => `${minuteText(Math.floor(at / MINUTE_MS))}/${process}/${name}`,
    list,
    readAll: (read) =>
      untilNoConflict(what, async () => {
        const before = await readTotals();
        const result = await read(before?.value, await list());
        return (await readTotals())?.version === before?.version ? result : CONFLICT;
      }),
    async rollUp(add, signal) {
      let rolledUp = 0;
      while (!signal.aborted) {
        const some = await untilNoConflict(what, async () => {
          // The totals are read before the shards, so that another roll-up of the same shards changes their version.
          const totals = await readTotals();
          const shards = await listPastShards();
          if (shards.length === 0) return 0;
          const added = await add(totals?.value, shards.map(toShard));
          const isWritten = await documents.write([
            { type: 'put', ...options.totals, value: added.totals, ifVersion: totals?.version ?? 0 },
            ...added.writes,
            ...shards.map(
              ({ key, version }) => ({ type: 'delete', collection, key, ifVersion: version }) as const,
            ),
          ]);
          return isWritten ? shards.length : CONFLICT;
        });
        rolledUp += some;
        if (some < MAX_ROLLED_UP_AT_ONCE) break;
        await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
      return rolledUp;
    },
  };
}

function toShard<S>({ key, value }: StoredDocument<S>): Shard<S> {
  const [minute = '', process = ''] = key.split('/', 2);
  return { minute: Number(minute), name: key.slice(minute.length + process.length + 2), value };
}

function minuteText(minute: number): string {
  return String(minute).padStart(MINUTE_DIGITS, '0');
}
