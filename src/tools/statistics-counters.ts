import type { ToolCallOutcome, ToolStatistics } from '../contracts/http/tools';

/** The stored outcome of one call, by which a repeated record is distinguished from a new call. */
export interface RecordedOutcome {
  readonly toolName: string;
  readonly success: boolean;
  /** Whole microseconds, so that sums stay exact whatever is added and subtracted. */
  readonly micros: number;
  /** ISO 8601, UTC */
  readonly finishedAt: string;
}

export interface Counters {
  readonly executions: number;
  readonly successes: number;
  readonly micros: number;
}

export interface Totals extends Counters {
  readonly mostUsed: { readonly name: string; readonly executions: number } | null;
  readonly lastExecution: string | null;
}

/**
 * What one process counted for one tool in one minute. `successes` and `micros` are negative if the process
 * corrected more than it added, because another process may have counted the corrected call; `executions` is never
 * negative.
 */
export interface ToolShard extends Counters {
  readonly lastExecution: string | null;
}

export interface CountedBefore {
  /** What the process counted for a tool in this minute. */
  shardOf(toolName: string): ToolShard | undefined;
  /** The recorded outcome of a call, by its key. */
  recorded(key: string): RecordedOutcome | undefined;
}

/** What changes when outcomes are counted. */
export interface CountersChange {
  /** By tool. */
  readonly shards: ReadonlyMap<string, ToolShard>;
  /** By key of the call; empty if nothing changes. */
  readonly outcomes: ReadonlyMap<string, RecordedOutcome>;
}

export interface TotalsAndTools {
  readonly totals: Totals;
  readonly tools: ReadonlyMap<string, Counters>;
}

const NO_COUNTERS: Counters = { executions: 0, successes: 0, micros: 0 };
const NO_SHARD: ToolShard = { ...NO_COUNTERS, lastExecution: null };
export const NO_TOTALS: Totals = { ...NO_COUNTERS, mostUsed: null, lastExecution: null };

/** An invalid time counts as 0 ms and an invalid date as `now`, because a wrong clock must not fail a tool call. */
export function toRecordedOutcome(outcome: ToolCallOutcome, now: number): RecordedOutcome {
  const { toolName, success, executionTime } = outcome;
  const micros = Number.isFinite(executionTime) ? Math.max(0, Math.round(executionTime * 1_000)) : 0;
  const finished = Date.parse(outcome.finishedAt);
  const finishedAt = new Date(Number.isNaN(finished) ? now : finished).toISOString();
  return { toolName, success, micros, finishedAt };
}

/**
 * Counts `outcomes`, by key of the call, on top of what the process counted so far. For a call that was recorded before
 * only the difference is counted, and always under the tool of its first record, because a step of a run has one tool.
 * Pure.
 */
export function countOutcomes(
  before: CountedBefore,
  outcomes: ReadonlyMap<string, RecordedOutcome>,
): CountersChange {
  const shards = new Map<string, ToolShard>();
  const changed = new Map<string, RecordedOutcome>();
  for (const [key, latest] of outcomes) {
    const earlier = before.recorded(key);
    const toolName = earlier?.toolName ?? latest.toolName;
    const outcome = { ...latest, toolName };
    if (earlier !== undefined && isSameOutcome(earlier, outcome)) continue;
    const shard = shards.get(toolName) ?? before.shardOf(toolName) ?? NO_SHARD;
    shards.set(toolName, {
      ...withDifference(shard, earlier, outcome),
      lastExecution: later(shard.lastExecution, outcome.finishedAt),
    });
    changed.set(key, outcome);
  }
  return { shards, outcomes: changed };
}

/**
 * Adds the shards of the processes to the totals; `from.tools` has the counters of every tool that the shards name.
 * Pure.
 * @returns the new totals, and the new counters of those tools
 */
export function addShards(
  from: TotalsAndTools,
  shards: readonly { readonly name: string; readonly value: ToolShard }[],
): TotalsAndTools {
  let { totals } = from;
  const tools = new Map<string, Counters>();
  for (const { name, value } of shards) {
    const counters = sum(tools.get(name) ?? from.tools.get(name) ?? NO_COUNTERS, value);
    tools.set(name, counters);
    totals = {
      ...sum(totals, value),
      mostUsed: pickMostUsed(totals.mostUsed, { name, executions: counters.executions }),
      lastExecution:
        value.lastExecution === null
          ? totals.lastExecution
          : later(totals.lastExecution, value.lastExecution),
    };
  }
  return { totals, tools };
}

export function toStatistics(totals: Totals): Omit<ToolStatistics, 'totalTools'> {
  const { executions, successes, micros, mostUsed, lastExecution } = totals;
  return {
    totalExecutions: executions,
    successfulExecutions: successes,
    failedExecutions: executions - successes,
    averageExecutionTime: executions === 0 ? 0 : Math.round(micros / executions) / 1_000,
    mostUsedTool: mostUsed?.name ?? null,
    lastExecution,
  };
}

function isSameOutcome(one: RecordedOutcome, other: RecordedOutcome): boolean {
  return one.success === other.success && one.micros === other.micros && one.finishedAt === other.finishedAt;
}

function sum(one: Counters, other: Counters): Counters {
  return {
    executions: one.executions + other.executions,
    successes: one.successes + other.successes,
    micros: one.micros + other.micros,
  };
}

function withDifference(
  from: Counters,
  earlier: RecordedOutcome | undefined,
  latest: RecordedOutcome,
): Counters {
  return {
    executions: from.executions + (earlier === undefined ? 1 : 0),
    successes: from.successes + Number(latest.success) - Number(earlier?.success ?? false),
    micros: from.micros + latest.micros - (earlier?.micros ?? 0),
  };
}

/**
 * Picks the most used tool without a scan: a tool's executions never decrease, so it is either the one so far or the
 * one just counted. Of two tools with equal counts it picks the first by name.
 */
function pickMostUsed(
  soFar: Totals['mostUsed'],
  counted: NonNullable<Totals['mostUsed']>,
): Totals['mostUsed'] {
  if (soFar === null || counted.executions > soFar.executions) return counted;
  return counted.executions === soFar.executions && counted.name < soFar.name ? counted : soFar;
}

/** The later of two times. Both are ISO 8601 in UTC with milliseconds, which sort as text. */
function later(soFar: string | null, finishedAt: string): string {
  return soFar !== null && soFar > finishedAt ? soFar : finishedAt;
}
