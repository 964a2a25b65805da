import type { ToolCallOutcome, ToolStatistics } from '../contracts/tools';

/** What is kept of one call, so that a repeat can be told from a new call. */
export interface RecordedOutcome {
  readonly toolName: string;
  readonly success: boolean;
  /** Whole microseconds: sums of them stay exact, whatever is added and taken away again. */
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

/** The counters as they stood at one moment. */
export interface CountersSnapshot {
  readonly totals: Totals;
  readonly tools: ReadonlyMap<string, Counters>;
  /** By key of the call. */
  readonly recorded: ReadonlyMap<string, RecordedOutcome>;
}

/** What is different after some outcomes; `totals` is whole. */
export interface CountersChange {
  readonly totals: Totals;
  readonly tools: ReadonlyMap<string, Counters>;
  readonly outcomes: ReadonlyMap<string, RecordedOutcome>;
}

export const NO_COUNTERS: Counters = { executions: 0, successes: 0, micros: 0 };
export const NO_TOTALS: Totals = { ...NO_COUNTERS, mostUsed: null, lastExecution: null };

/** A failed clock must not fail a tool call: a time that is none counts as 0 ms, a date that is none as `now`. */
export function toRecordedOutcome(outcome: ToolCallOutcome, now: number): RecordedOutcome {
  const { toolName, success, executionTime } = outcome;
  const micros = Number.isFinite(executionTime) ? Math.max(0, Math.round(executionTime * 1_000)) : 0;
  const finished = Date.parse(outcome.finishedAt);
  const finishedAt = new Date(Number.isNaN(finished) ? now : finished).toISOString();
  return { toolName, success, micros, finishedAt };
}

/**
 * Counts `outcomes`, by key of the call, on top of `snapshot`. A call that was recorded before counts by the
 * difference: none when it is the same, and always under the tool it was first counted for, because a step of
 * a run has one tool. Pure. Undefined when nothing changes.
 */
export function countOutcomes(
  snapshot: CountersSnapshot,
  outcomes: ReadonlyMap<string, RecordedOutcome>,
): CountersChange | undefined {
  let { totals } = snapshot;
  const tools = new Map<string, Counters>();
  const changed = new Map<string, RecordedOutcome>();
  for (const [key, latest] of outcomes) {
    const earlier = snapshot.recorded.get(key);
    const toolName = earlier?.toolName ?? latest.toolName;
    const outcome = { ...latest, toolName };
    if (earlier !== undefined && isSameOutcome(earlier, outcome)) continue;
    const counters = moved(
      tools.get(toolName) ?? snapshot.tools.get(toolName) ?? NO_COUNTERS,
      earlier,
      outcome,
    );
    tools.set(toolName, counters);
    totals = {
      ...moved(totals, earlier, outcome),
      mostUsed: moreUsed(totals.mostUsed, { name: toolName, executions: counters.executions }),
      lastExecution: later(totals.lastExecution, outcome.finishedAt),
    };
    changed.set(key, outcome);
  }
  return changed.size === 0 ? undefined : { totals, tools, outcomes: changed };
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

function moved(from: Counters, earlier: RecordedOutcome | undefined, latest: RecordedOutcome): Counters {
  return {
    executions: from.executions + (earlier === undefined ? 1 : 0),
    successes: from.successes + Number(latest.success) - Number(earlier?.success ?? false),
    micros: from.micros + latest.micros - (earlier?.micros ?? 0),
  };
}

/**
 * A tool's executions never go down, so the most used tool is either the one so far or the one just counted,
 * and no scan is needed to know. Of two with as many, the first by name.
 */
function moreUsed(soFar: Totals['mostUsed'], counted: NonNullable<Totals['mostUsed']>): Totals['mostUsed'] {
  if (soFar === null || counted.executions > soFar.executions) return counted;
  return counted.executions === soFar.executions && counted.name < soFar.name ? counted : soFar;
}

/** Both are ISO 8601 in UTC with milliseconds, which sort as text. */
function later(soFar: string | null, finishedAt: string): string {
  return soFar !== null && soFar > finishedAt ? soFar : finishedAt;
}
