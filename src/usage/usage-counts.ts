import { roundCost } from '../contracts/runs/budgets';

/** What runs used of models, and how many they were. */
export interface UsageCounts {
  readonly runs: number;
  /** Runs that ended otherwise than completed. */
  readonly failedRuns: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** US dollars, of the calls of models whose price is known. */
  readonly costUsd: number;
  /** Calls of models without a known price. */
  readonly unpricedCalls: number;
}

/** The calls of one model in one run. */
export interface ModelUsage extends Omit<UsageCounts, 'runs' | 'failedRuns'> {
  readonly model: string;
}

/** A run that has ended. */
export interface EndedRun {
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly closedAt: number;
  readonly isFailed: boolean;
  /** The pseudonym of the user whose run it is. */
  readonly user: string | undefined;
  /** The agent that answered, if it was the turn of one. */
  readonly agent: string | undefined;
  readonly models: readonly ModelUsage[];
}

export const NO_COUNTS: UsageCounts = {
  runs: 0,
  failedRuns: 0,
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  costUsd: 0,
  unpricedCalls: 0,
};

/** Sums of a day, also by what has a name. Pairs, because a model may have any name. */
export interface DayUsage {
  readonly total: UsageCounts;
  /** A run is counted at each model that it used. */
  readonly models: readonly (readonly [name: string, counts: UsageCounts])[];
  readonly agents: readonly (readonly [name: string, counts: UsageCounts])[];
}

export const NO_USAGE_OF_DAY: DayUsage = { total: NO_COUNTS, models: [], agents: [] };

/** Adds two counts. Pure. */
export function addCounts(first: UsageCounts, second: UsageCounts): UsageCounts {
  return {
    runs: first.runs + second.runs,
    failedRuns: first.failedRuns + second.failedRuns,
    promptTokens: first.promptTokens + second.promptTokens,
    completionTokens: first.completionTokens + second.completionTokens,
    totalTokens: first.totalTokens + second.totalTokens,
    costUsd: roundCost(first.costUsd + second.costUsd),
    unpricedCalls: first.unpricedCalls + second.unpricedCalls,
  };
}

/** Adds a run to the sums of its day. Pure. */
export function addRun(day: DayUsage, { isFailed, agent, models }: EndedRun): DayUsage {
  const run = { ...NO_COUNTS, runs: 1, failedRuns: isFailed ? 1 : 0 };
  const total = models.reduce<UsageCounts>(
    (sum, used) => addCounts(sum, { ...NO_COUNTS, ...counts(used) }),
    run,
  );
  return {
    total: addCounts(day.total, total),
    models: sumByName([
      ...day.models,
      ...models.map((used) => [used.model, { ...run, ...counts(used) }] as const),
    ]),
    agents: agent === undefined ? day.agents : sumByName([...day.agents, [agent, total]]),
  };
}

function counts({ model: _, ...rest }: ModelUsage): Omit<ModelUsage, 'model'> {
  return rest;
}

/** Sums up what has the same name, in the order of the first of each. Pure. */
export function sumByName(
  pairs: Iterable<readonly [name: string, counts: UsageCounts]>,
): (readonly [name: string, counts: UsageCounts])[] {
  const sums = new Map<string, UsageCounts>();
  for (const [name, one] of pairs) sums.set(name, addCounts(sums.get(name) ?? NO_COUNTS, one));
  return [...sums];
}
