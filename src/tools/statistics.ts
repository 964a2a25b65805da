import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ToolCallOutcome, ToolStatistics } from '../contracts/http/tools';
import { validationError } from '../base/errors';
import { newId } from '../base/ids';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { TenantDocuments } from '../stores/documents';
import { checkKey } from '../stores/keys';
import { createBatches } from '../stores/batches';
import {
  countOutcomes,
  type RecordedOutcome,
  type ToolShard,
  toRecordedOutcome,
  toStatistics,
} from './statistics-counters';
import { createStatisticsDocuments, type Versioned } from './statistics-documents';

export interface ToolStatisticsOptions {
  readonly documents: TenantDocuments;
  /**
   * How long a repeated record of a call is still recognised, milliseconds. It must be longer than any run can last,
   * because a later repeat counts twice.
   */
  readonly retentionMs: number;
  /** Epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** Figures over all tool calls of all processes. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface ToolStatisticsStore {
  /**
   * Counts a call once, however often it is recorded: the same outcome again changes nothing, another outcome
   * of the same call (`runId` and `step`) takes the place of the earlier one. Resolves when the outcome
   * survives the death of this process. Throws `VALIDATION` if the names are not usable as a key.
   */
  record(outcome: ToolCallOutcome): Promise<void>;
  /** Reads the totals and what was counted in the last minutes, however many calls there were. */
  read(): Promise<Omit<ToolStatistics, 'totalTools'>>;
  /** Mean time of the calls of each tool, milliseconds; tools that were never called are left out. */
  meanTimes(toolNames: readonly string[]): Promise<Map<string, number>>;
  /**
   * Removes expired outcomes and all other expired documents of the store, 500 at a time and at most `MAX_PRUNED` in
   * one call; returns how many. The figures stay the same.
   */
  prune(): Promise<number>;
  /**
   * Adds the shards of past minutes to the totals and removes them; the figures stay the same. One process or several
   * call this now and then, because `read` has to read all shards that are left.
   * @returns how many documents it removed
   */
  rollUp(signal: AbortSignal): Promise<number>;
}

type Outcomes = ReadonlyMap<string, RecordedOutcome>;
type RecordedBefore = ReadonlyMap<string, Versioned<RecordedOutcome>>;

interface CallOutcome {
  readonly key: string;
  readonly outcome: RecordedOutcome;
}

const MAX_PER_BATCH = 256;
const MAX_SHARDS_REMEMBERED = 1_000;
const PRUNE_BATCH = 500;
/** Maximum number of documents that one call of `prune` removes. */
export const MAX_PRUNED = 10_000;

export function createToolStatistics(options: ToolStatisticsOptions): ToolStatisticsStore {
  const { retentionMs, now = Date.now } = options;
  const documents = createStatisticsDocuments({ documents: options.documents, process: newId(), now });
  /**
   * The shards of this process as it wrote or read them last, by key. The store refuses a write to one that has changed
   * since.
   */
  const known = new Map<string, Versioned<ToolShard>>();

  async function commit(calls: readonly CallOutcome[]): Promise<void> {
    // Of two outcomes of one call in a batch the later one counts.
    const outcomes = new Map(calls.map(({ key, outcome }) => [key, outcome]));
    const at = now();
    // Nearly all calls are new and only this process writes its shards, so one write without a read usually succeeds.
    if (await tryWrite(outcomes, at, new Map())) return;
    await untilNoConflict('the tool statistics', async () =>
      (await tryWrite(outcomes, at, await read(outcomes, at))) ? undefined : CONFLICT,
    );
  }

  /** Reads the shards that the outcomes are counted in. @returns what is recorded of the calls */
  async function read(outcomes: Outcomes, at: number): Promise<RecordedBefore> {
    const recorded = await documents.outcomes([...outcomes.keys()]);
    const keys = [...outcomes].map(([key, { toolName }]) =>
      documents.shardKey(at, recorded.get(key)?.value.toolName ?? toolName),
    );
    for (const key of keys) known.delete(key);
    for (const [key, shard] of await documents.shards(keys)) known.set(key, shard);
    return recorded;
  }

  /**
   * Assumes that unknown shards and outcomes are absent. Counts nothing and returns false if that or a version is
   * wrong.
   */
  async function tryWrite(outcomes: Outcomes, at: number, recorded: RecordedBefore): Promise<boolean> {
    const shardOf = (toolName: string): ToolShard | undefined =>
      known.get(documents.shardKey(at, toolName))?.value;
    const before = (key: string): RecordedOutcome | undefined => recorded.get(key)?.value;
    const change = countOutcomes({ shardOf, recorded: before }, outcomes);
    if (change.outcomes.size === 0) return true;
    const shards = [...change.shards].map(([toolName, value]): [string, Versioned<ToolShard>] => {
      const key = documents.shardKey(at, toolName);
      return [key, { value, version: known.get(key)?.version ?? 0 }];
    });
    const isWritten = await documents.write({
      shards,
      outcomes: [...change.outcomes].map(([key, value]) => [
        key,
        { value, version: recorded.get(key)?.version ?? 0 },
      ]),
      expiresAt: at + retentionMs,
    });
    if (!isWritten) return false;
    // Shards of earlier minutes are not written again.
    if (known.size > MAX_SHARDS_REMEMBERED) known.clear();
    for (const [key, { value, version }] of shards) known.set(key, { value, version: version + 1 });
    return true;
  }

  const add = createBatches(commit, MAX_PER_BATCH);

  return {
    record: async (outcome) => {
      // The key is checked before the outcome joins a batch, so that one bad name does not fail the others.
      const key = toKey(outcome);
      await add({ key, outcome: toRecordedOutcome(outcome, now()) });
    },
    read: async () => toStatistics(await documents.totals()),
    meanTimes: async (toolNames) => {
      const counters = await documents.counters(toolNames);
      // A reading during a roll-up may lack a call and contain only its correction.
      const called = [...counters].filter(([, { executions, micros }]) => executions > 0 && micros >= 0);
      return new Map(called.map(([name, { executions, micros }]) => [name, micros / executions / 1_000]));
    },
    prune: async () => {
      let pruned = 0;
      while (pruned < MAX_PRUNED) {
        const removed = await options.documents.removeExpired(now(), PRUNE_BATCH);
        pruned += removed;
        if (removed < PRUNE_BATCH) break;
        await nextIteration();
      }
      return pruned;
    },
    rollUp: (signal) => documents.rollUp(signal),
  };
}

function toKey({ runId, step, toolName }: ToolCallOutcome): string {
  // A "/" in a run id would let two calls share a key: ("a/b", "c") and ("a", "b/c").
  if (runId.includes('/')) throw validationError('runId', 'A run id has no "/"');
  const key = `${runId}/${step}`;
  checkKey(key);
  checkKey(toolName);
  return key;
}
