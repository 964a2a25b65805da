import type { IntentStatistics } from '../../contracts/http/intents';
import { createBatches } from '../../stores/batches';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import { newId } from '../../base/ids';
import type { DocumentWrite, TenantDocuments } from '../../stores/documents';
import { createShards, type Shard } from '../../stores/shards';
import {
  addOutcome,
  addTotals,
  type ClassificationOutcome,
  countAll,
  type IntentTotals,
  NO_TOTALS,
  toFigures,
} from './totals';

/** Counts are kept for each minute and for each hour since 1970. */
export const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
/** Length of each window in minutes, the current minute included. */
export const WINDOWS = { lastHour: 60, lastDay: 1_440, lastWeek: 10_080 } as const;
/** How long a count may be read: a week, and the hour at its far edge. */
export const ACTIVITY_RETENTION_MS = (WINDOWS.lastWeek + MINUTES_PER_HOUR) * MINUTE_MS;

export interface IntentStatisticsOptions {
  readonly documents: TenantDocuments;
  /** How long a repeated record of a part of a run is still recognised, milliseconds. */
  readonly retentionMs: number;
  /** Epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** Figures over all classifications of all processes. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface IntentStatisticsStore {
  /**
   * Counts classifications that have just ended. With a `key`, which names a part of a run, they are counted once,
   * however often they are recorded under it.
   */
  record(outcomes: readonly ClassificationOutcome[], key?: string): Promise<void>;
  /** Reads counters only, however many classifications there were. */
  read(): Promise<IntentStatistics>;
  /**
   * Adds the shards of past minutes to the totals and removes them; the figures stay the same. One process or several
   * call this now and then, because `read` has to read all shards that are left.
   * @returns how many documents it removed
   */
  rollUp(signal: AbortSignal): Promise<number>;
}

interface Entry {
  readonly outcomes: readonly ClassificationOutcome[];
  readonly key: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

const TOTALS = { collection: 'intent-totals', key: 'totals' } as const;
const SHARDS = 'intent-shards';
const ACTIVITY = 'intent-activity';
const RECORDED = 'intent-recorded';
const MAX_PER_BATCH = 256;
const MAX_SHARDS_REMEMBERED = 100;

/** The counts of one process in one minute. */
type IntentShard = Shard<IntentTotals>;

export function createIntentStatistics(options: IntentStatisticsOptions): IntentStatisticsStore {
  const { documents, retentionMs, now = Date.now } = options;
  const what = 'the intent statistics';
  const shards = createShards<IntentTotals, IntentTotals>({
    documents,
    what,
    shards: SHARDS,
    totals: TOTALS,
    process: newId(),
    now,
  });
  /**
   * The shards of this process as it wrote or read them last, by key. The store refuses a write to one that has changed
   * since.
   */
  const known = new Map<string, { readonly value: IntentTotals; readonly version: number }>();

  async function commit(entries: readonly Entry[]): Promise<void> {
    // Nearly all parts are new and only this process writes its shards, so one write without a read usually succeeds.
    if (await tryWrite(entries, new Set())) return;
    await untilNoConflict(what, async () =>
      (await tryWrite(entries, await readBefore(entries))) ? undefined : CONFLICT,
    );
  }

  /** Reads the shards that the entries are counted in. @returns the keys that were recorded before */
  async function readBefore(entries: readonly Entry[]): Promise<Set<string>> {
    const keys = entries.map(({ at }) => shards.keyOf(at));
    for (const key of keys) known.delete(key);
    for (const [key, shard] of await documents.getEach<IntentTotals>(SHARDS, keys)) known.set(key, shard);
    return new Set(
      (
        await documents.getEach(
          RECORDED,
          entries.flatMap(({ key }) => key ?? []),
        )
      ).keys(),
    );
  }

  /**
   * Assumes that unknown shards and outcomes are absent. Counts nothing and returns false if that or a version is
   * wrong.
   */
  async function tryWrite(entries: readonly Entry[], recorded: ReadonlySet<string>): Promise<boolean> {
    const counted = new Map<string, IntentTotals>();
    const writes = new Map<string, DocumentWrite>();
    for (const { key, outcomes, at } of entries) {
      if (key !== undefined) {
        if (recorded.has(key) || writes.has(key)) continue;
        const expiresAt = at + retentionMs;
        writes.set(key, { type: 'put', collection: RECORDED, key, value: true, ifVersion: 0, expiresAt });
      }
      const shard = shards.keyOf(at);
      const before = counted.get(shard) ?? known.get(shard)?.value ?? NO_TOTALS;
      counted.set(shard, outcomes.reduce(addOutcome, before));
    }
    if (counted.size === 0) return true;
    const puts = [...counted].map(([key, value]) => {
      const ifVersion = known.get(key)?.version ?? 0;
      return { type: 'put', collection: SHARDS, key, value, ifVersion } as const;
    });
    // An fsync in every request would cost more than a figure that is lost in a power cut.
    if (!(await documents.write([...puts, ...writes.values()], { durability: 'process' }))) return false;
    // Shards of earlier minutes are not written again.
    if (known.size > MAX_SHARDS_REMEMBERED) known.clear();
    for (const { key, value, ifVersion } of puts) known.set(key, { value, version: ifVersion + 1 });
    return true;
  }

  /** Counts the classifications of some shards under each key of the activity. */
  function countActivity(some: readonly IntentShard[]): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { minute, value } of some) {
      for (const key of activityKeys(minute * MINUTE_MS))
        counts.set(key, (counts.get(key) ?? 0) + countAll(value));
    }
    return counts;
  }

  async function readRecentActivity(
    some: readonly IntentShard[],
  ): Promise<IntentStatistics['recentActivity']> {
    const moment = now();
    const apart = countActivity(some);
    const windows = Object.keys(WINDOWS) as Window[];
    const keys = windows.map((window) => windowKeys(window, moment));
    const counts = await documents.getEach<number>(ACTIVITY, keys.flat());
    const [lastHour = 0, lastDay = 0, lastWeek = 0] = keys.map((each) =>
      each.reduce((sum, key) => sum + (counts.get(key)?.value ?? 0) + (apart.get(key) ?? 0), 0),
    );
    return { lastHour, lastDay, lastWeek };
  }

  async function buildActivityWrites(some: readonly IntentShard[]): Promise<DocumentWrite[]> {
    const added = countActivity(some);
    const stored = await documents.getEach<number>(ACTIVITY, [...added.keys()]);
    // The count of an hour is read as long as its first minute is in a window, and is kept for an hour longer.
    const latest = Math.max(...some.map(({ minute }) => minute * MINUTE_MS));
    return [...added].map(([key, count]) => ({
      type: 'put',
      collection: ACTIVITY,
      key,
      value: (stored.get(key)?.value ?? 0) + count,
      expiresAt: latest + ACTIVITY_RETENTION_MS,
    }));
  }

  const sumUp = (totals: IntentTotals = NO_TOTALS, some: readonly IntentShard[]): IntentTotals =>
    some.reduce((all, { value }) => addTotals(all, value), totals);

  const add = createBatches<Entry>(commit, MAX_PER_BATCH);

  return {
    record: async (outcomes, key) => {
      if (outcomes.length > 0) await add({ outcomes, key, at: now() });
    },
    read: () =>
      shards.readAll(async (totals, all) => ({
        ...toFigures(sumUp(totals, all)),
        recentActivity: await readRecentActivity(all),
      })),
    rollUp: (signal) =>
      shards.rollUp(
        async (totals, some) => ({ totals: sumUp(totals, some), writes: await buildActivityWrites(some) }),
        signal,
      ),
  };
}

export type Window = keyof typeof WINDOWS;

/** The keys under which a classification at `now` (epoch milliseconds) is counted. */
export function activityKeys(now: number): [minute: string, hour: string] {
  const minute = Math.floor(now / MINUTE_MS);
  return [minuteKey(minute), hourKey(Math.floor(minute / MINUTES_PER_HOUR))];
}

/**
 * The keys whose counts sum up to a window that ends at `now`: whole hours where they fit, and minutes at both edges,
 * so that each minute is counted once. At most 286 keys for a week.
 */
export function windowKeys(window: Window, now: number): string[] {
  const last = Math.floor(now / MINUTE_MS);
  const first = last - WINDOWS[window] + 1;
  const firstHour = Math.ceil(first / MINUTES_PER_HOUR);
  const endHour = Math.floor((last + 1) / MINUTES_PER_HOUR);
  if (firstHour >= endHour) return range(first, last + 1).map(minuteKey);
  return [
    ...range(first, firstHour * MINUTES_PER_HOUR).map(minuteKey),
    ...range(firstHour, endHour).map(hourKey),
    ...range(endHour * MINUTES_PER_HOUR, last + 1).map(minuteKey),
  ];
}

function minuteKey(minute: number): string {
  return `m${minute}`;
}

function hourKey(hour: number): string {
  return `h${hour}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
