import { setTimeout as delay } from 'node:timers/promises';
import { CONFLICT, untilNoConflict } from './compare-and-set';
import type { DocumentStore, DocumentWrite, StoredDocument } from './documents';
import { MAX_LIST_LIMIT } from './documents';

/**
 * Counters that many processes raise at once, without one waiting for another: each process counts in documents of its own,
 * new ones in every minute (shards), and a reader adds them to the totals. Shards of minutes that are over are added to the
 * totals for good and deleted ("rolled up"), whether or not the process that made them still runs.
 *
 * Every roll-up writes the totals on the version that it read. A reader that finds the same version before and after it has
 * read the shards has therefore seen each count once.
 */
export interface ShardsOptions {
  readonly documents: DocumentStore;
  /** What is counted, for errors. */
  readonly what: string;
  /** The collection of the shards. */
  readonly shards: string;
  /** The document of the totals; it is never deleted. */
  readonly totals: { readonly collection: string; readonly key: string };
  /** Of this process and of this start of it: no other ever has the same. Without a slash. */
  readonly process: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Shard<S> {
  /** The minute since 1970 in which it was counted. */
  readonly minute: number;
  /** What `keyOf` was given. */
  readonly name: string;
  readonly value: S;
}

/** What becomes of the totals, and of what is kept beside them, when shards are added. */
export interface RolledUp<T> {
  readonly totals: T;
  /** In the same batch; they name neither totals nor shards. */
  readonly writes: readonly DocumentWrite[];
}

/** All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface Shards<T, S> {
  /** The document of this process for what is counted under `name` at `at` (epoch milliseconds). */
  keyOf(at: number, name?: string): string;
  /** All shards of all processes, which may be rolled up meanwhile. */
  list(): Promise<Shard<S>[]>;
  /** Reads totals and shards, and by `read` what is kept beside them, as they stood at one moment. */
  readAll<R>(read: (totals: T | undefined, shards: readonly Shard<S>[]) => Promise<R>): Promise<R>;
  /**
   * Adds shards of past minutes to the totals, up to 200 in a transaction, until none is left or `signal` aborts.
   * @returns how many
   */
  rollUp(
    add: (totals: T | undefined, shards: readonly Shard<S>[]) => Promise<RolledUp<T>>,
    signal: AbortSignal,
  ): Promise<number>;
}

const MINUTE_MS = 60_000;
/** Digits of a minute in a key, so that keys sort by time: enough until the year 2160. */
const MINUTE_DIGITS = 8;
/** A shard is rolled up when its minute has been over for one more, in which what was under way has been written. */
const OVER_AFTER_MINUTES = 2;
const MAX_ROLLED_UP_AT_ONCE = 200;
/** Between two transactions, so that a reader gets through. */
const PAUSE_MS = 50;

export function createShards<T, S>(options: ShardsOptions): Shards<T, S> {
  const { documents, what, shards: collection, process, now } = options;

  async function settledTotals(): Promise<StoredDocument<T> | undefined> {
    const { totals } = options;
    return (await documents.getMany<T>(totals.collection, [totals.key])).get(totals.key);
  }

  async function list(): Promise<Shard<S>[]> {
    const shards: Shard<S>[] = [];
    for (let after = ''; ;) {
      const page = await documents.list<S>(collection, { after });
      shards.push(...page.map(toShard));
      if (page.length < MAX_LIST_LIMIT) return shards;
      after = page.at(-1)?.key ?? '';
    }
  }

  /** The oldest of those whose minute is over. */
  async function oldest(): Promise<StoredDocument<S>[]> {
    const before = minuteText(Math.floor(now() / MINUTE_MS) - OVER_AFTER_MINUTES + 1);
    const found = await documents.list<S>(collection, { limit: MAX_ROLLED_UP_AT_ONCE });
    return found.filter(({ key }) => key < before);
  }

  return {
    keyOf: (at, name = '') => `${minuteText(Math.floor(at / MINUTE_MS))}/${process}/${name}`,
    list,
    readAll: (read) =>
      untilNoConflict(what, async () => {
        const before = await settledTotals();
        const result = await read(before?.value, await list());
        return (await settledTotals())?.version === before?.version ? result : CONFLICT;
      }),
    async rollUp(add, signal) {
      let rolledUp = 0;
      while (!signal.aborted) {
        const some = await untilNoConflict(what, async () => {
          // Before the shards: another roll-up that takes some of them changes the version.
          const totals = await settledTotals();
          const found = await oldest();
          if (found.length === 0) return 0;
          const added = await add(totals?.value, found.map(toShard));
          const isWritten = await documents.write([
            { type: 'put', ...options.totals, value: added.totals, ifVersion: totals?.version ?? 0 },
            ...added.writes,
            ...found.map(
              ({ key, version }) => ({ type: 'delete', collection, key, ifVersion: version }) as const,
            ),
          ]);
          return isWritten ? found.length : CONFLICT;
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
