import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolCallOutcome, ToolStatistics } from '../contracts/tools';
import { validationError } from '../errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentStore } from '../stores/documents';
import { checkKey } from '../stores/keys';
import { createBatches } from '../stores/batches';
import { countOutcomes, toRecordedOutcome, toStatistics } from './statistics-counters';
import type { Counters, RecordedOutcome } from './statistics-counters';
import { createStatisticsDocuments } from './statistics-documents';
import type { VersionedTotals } from './statistics-documents';

export interface ToolStatisticsOptions {
  readonly documents: DocumentStore;
  /**
   * How long a repeated record of a call is still recognised, milliseconds. Longer than any run can last, or
   * a late repeat counts twice.
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
   * survives the death of this process. Throws `VALIDATION` for names that make no key.
   */
  record(outcome: ToolCallOutcome): Promise<void>;
  /** One document read, however many calls and tools there were. */
  read(): Promise<Omit<ToolStatistics, 'totalTools'>>;
  /** Mean time of the calls of each tool, milliseconds; tools that were never called are left out. */
  meanTimes(toolNames: readonly string[]): Promise<Map<string, number>>;
  /**
   * Forgets expired outcomes, at most 10,000 a call and 500 at a time, and whatever else has expired in the
   * store; returns how many. The figures stay as they are.
   */
  prune(): Promise<number>;
}

interface CallOutcome {
  readonly key: string;
  readonly outcome: RecordedOutcome;
}

/** What this process wrote last; good for as long as the totals have this version. */
interface LastWritten {
  readonly totals: VersionedTotals;
  readonly tools: Map<string, Counters>;
}

const MOST_PER_BATCH = 256;
const MOST_TOOLS_REMEMBERED = 1_000;
const PRUNE_BATCH = 500;
const PRUNE_BATCHES = 20;

export function createToolStatistics(options: ToolStatisticsOptions): ToolStatisticsStore {
  const { retentionMs, now = Date.now } = options;
  const documents = createStatisticsDocuments(options.documents);
  let last: LastWritten | undefined;

  async function commit(calls: readonly CallOutcome[]): Promise<void> {
    // Of two outcomes of one call in a batch the later one stands.
    const outcomes = new Map(calls.map(({ key, outcome }) => [key, outcome]));
    // Nearly always the calls are new and no other process wrote since: one write then does it, and no read.
    if (last !== undefined && (await tryWrite(outcomes, last))) return;
    await untilNoConflict('the tool statistics', async () =>
      (await tryWrite(outcomes)) ? undefined : CONFLICT,
    );
  }

  /** With `known`: takes its counters as current and the calls as new, and is refused if either is wrong. */
  async function tryWrite(
    outcomes: ReadonlyMap<string, RecordedOutcome>,
    known?: LastWritten,
  ): Promise<boolean> {
    last = undefined;
    // The totals first: what is read after them is guarded by their version.
    const totals = known?.totals ?? (await documents.totals());
    const recorded =
      known === undefined
        ? await documents.outcomes([...outcomes.keys()])
        : new Map<string, RecordedOutcome>();
    // Changed in place: if the write fails, nobody looks at it again.
    const tools = known?.tools ?? new Map<string, Counters>();
    const unknown = toolNames(outcomes, recorded).filter((name) => !tools.has(name));
    if (unknown.length > 0) {
      for (const [name, counters] of await documents.counters(unknown)) tools.set(name, counters);
    }
    const change = countOutcomes({ totals: totals.value, tools, recorded }, outcomes);
    if (change === undefined) return true;
    const written = await documents.write({
      ...change,
      totalsVersion: totals.version,
      onlyNew: known !== undefined,
      expiresAt: now() + retentionMs,
    });
    if (!written) return false;
    for (const [name, counters] of change.tools) tools.set(name, counters);
    if (tools.size > MOST_TOOLS_REMEMBERED) tools.clear();
    last = { totals: { value: change.totals, version: totals.version + 1 }, tools };
    return true;
  }

  const add = createBatches(commit, MOST_PER_BATCH);

  return {
    record: async (outcome) => {
      // Checked before it joins a batch, so that one bad name does not fail the others.
      const key = keyOf(outcome);
      await add({ key, outcome: toRecordedOutcome(outcome, now()) });
    },
    read: async () => toStatistics((await documents.totals()).value),
    meanTimes: async (toolNames) => {
      const counters = await documents.counters(toolNames);
      return new Map(
        [...counters].map(([name, { executions, micros }]) => [name, micros / executions / 1_000]),
      );
    },
    prune: async () => {
      let pruned = 0;
      for (let batch = 0; batch < PRUNE_BATCHES; batch += 1) {
        const removed = await options.documents.removeExpired(now(), PRUNE_BATCH);
        pruned += removed;
        if (removed < PRUNE_BATCH) break;
        await nextTurn();
      }
      return pruned;
    },
  };
}

function keyOf({ runId, step, toolName }: ToolCallOutcome): string {
  // Or two calls could share a key: ("a/b", "c") and ("a", "b/c").
  if (runId.includes('/')) throw validationError('runId', 'A run id has no "/"');
  const key = `${runId}/${step}`;
  checkKey(key);
  checkKey(toolName);
  return key;
}

/** Every tool whose counters the outcomes touch. */
function toolNames(
  outcomes: ReadonlyMap<string, RecordedOutcome>,
  recorded: ReadonlyMap<string, RecordedOutcome>,
): string[] {
  const names = new Set<string>();
  for (const [key, outcome] of outcomes) names.add((recorded.get(key) ?? outcome).toolName);
  return [...names];
}
