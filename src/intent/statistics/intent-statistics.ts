import type { IntentStatistics } from '../../contracts/intents';
import { createBatches } from '../../stores/batches';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { DocumentStore, DocumentWrite } from '../../stores/documents';
import { ACTIVITY_RETENTION_MS, activityKeys, windowKeys, WINDOWS, type Window } from './activity-windows';
import { addOutcome, type ClassificationOutcome, type IntentTotals, NO_TOTALS, toFigures } from './totals';

export interface IntentStatisticsOptions {
  readonly documents: DocumentStore;
  /** How long a repeated record of a part of a run is still recognised, milliseconds. */
  readonly retentionMs: number;
  /** Epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** Figures over all classifications of all processes. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface IntentStatisticsStore {
  /**
   * Counts classifications that have just ended. Those that came with a `key` are counted once, however often they are
   * recorded under it; it names a part of a run.
   */
  record(outcomes: readonly ClassificationOutcome[], key?: string): Promise<void>;
  /** Reads counters alone, however many classifications there were. */
  read(): Promise<IntentStatistics>;
}

interface Entry {
  readonly outcomes: readonly ClassificationOutcome[];
  readonly key: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

const TOTALS = 'intent-totals';
const TOTALS_KEY = 'totals';
const ACTIVITY = 'intent-activity';
const RECORDED = 'intent-recorded';
const MOST_PER_BATCH = 256;

export function createIntentStatistics(options: IntentStatisticsOptions): IntentStatisticsStore {
  const { documents, retentionMs, now = Date.now } = options;

  /** Every write has the totals in it, so their version guards all that was read after them. */
  async function tryWrite(entries: readonly Entry[]): Promise<boolean> {
    const totals = await documents.get<IntentTotals>(TOTALS, TOTALS_KEY);
    const fresh = await unrecorded(entries);
    if (fresh.length === 0) return true;
    const outcomes = fresh.flatMap((entry) => entry.outcomes);
    const value = outcomes.reduce(addOutcome, totals?.value ?? NO_TOTALS);
    const writes: DocumentWrite[] = [
      { type: 'put', collection: TOTALS, key: TOTALS_KEY, value, ifVersion: totals?.version ?? 0 },
      ...(await activityWrites(fresh)),
      ...fresh.flatMap(({ key, at }): DocumentWrite[] =>
        key === undefined
          ? []
          : [{ type: 'put', collection: RECORDED, key, value: true, expiresAt: at + retentionMs }],
      ),
    ];
    // A figure lost in a power cut is worth less than an fsync in every request.
    return documents.write(writes, { durability: 'process' });
  }

  async function unrecorded(entries: readonly Entry[]): Promise<Entry[]> {
    const keys = [...new Set(entries.flatMap(({ key }) => key ?? []))];
    const recorded: ReadonlySet<string> =
      keys.length === 0 ? new Set() : new Set((await documents.getMany(RECORDED, keys)).keys());
    const seen = new Set(recorded);
    return entries.filter(({ key }) => {
      if (key === undefined) return true;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }

  async function activityWrites(entries: readonly Entry[]): Promise<DocumentWrite[]> {
    const added = new Map<string, { count: number; at: number }>();
    for (const { outcomes, at } of entries) {
      for (const key of activityKeys(at)) {
        added.set(key, { count: (added.get(key)?.count ?? 0) + outcomes.length, at });
      }
    }
    const stored = await documents.getMany<number>(ACTIVITY, [...added.keys()]);
    return [...added].map(([key, { count, at }]) => ({
      type: 'put',
      collection: ACTIVITY,
      key,
      value: (stored.get(key)?.value ?? 0) + count,
      // An hour's count is asked for as long as its last minute's.
      expiresAt: at + ACTIVITY_RETENTION_MS,
    }));
  }

  async function activity(): Promise<IntentStatistics['recentActivity']> {
    const moment = now();
    const windows = Object.keys(WINDOWS) as Window[];
    const keys = windows.map((window) => windowKeys(window, moment));
    const counts = await documents.getMany<number>(ACTIVITY, [...new Set(keys.flat())]);
    const [lastHour = 0, lastDay = 0, lastWeek = 0] = keys.map((each) =>
      each.reduce((sum, key) => sum + (counts.get(key)?.value ?? 0), 0),
    );
    return { lastHour, lastDay, lastWeek };
  }

  const add = createBatches<Entry>(
    (entries) =>
      untilNoConflict('the intent statistics', async () =>
        (await tryWrite(entries)) ? undefined : CONFLICT,
      ),
    MOST_PER_BATCH,
  );

  return {
    record: async (outcomes, key) => {
      if (outcomes.length > 0) await add({ outcomes, key, at: now() });
    },
    read: async () => {
      const totals = await documents.get<IntentTotals>(TOTALS, TOTALS_KEY);
      return { ...toFigures(totals?.value ?? NO_TOTALS), recentActivity: await activity() };
    },
  };
}
