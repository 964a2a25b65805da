import type { ProviderName } from '../../src/contracts/http/llm';
import type { RunEvent } from '../../src/contracts/http/run-events';
import { costOf, priceOf } from '../../src/contracts/runs/budgets';
import type { PriceTable } from '../../src/llm/prices';
import { addCounts, type ModelUsage, NO_COUNTS } from '../../src/usage/usage-counts';
import type { Engine } from '../engine';
import { readStepLog } from '../run-events/read-log';
import type { StartedRun } from '../runs/started-run';

const LIMIT_MS = 10_000;

/**
 * Reads from the log of a run what it used of each model.
 * @param prices those of now, for a run that keeps none
 * @throws HoldfastError `RUN_NOT_FOUND`, `ENGINE_UNAVAILABLE`, `STORE_UNAVAILABLE`
 */
export async function readModelUsage(
  engine: Engine,
  run: StartedRun,
  prices: PriceTable,
  signal: AbortSignal,
): Promise<readonly ModelUsage[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const { events } = await readStepLog(engine, run, limit);
  return sumByModel(events, prices);
}

/** Sums up the model calls of a run. Calls of the built-in rules use no tokens and are left out. Pure. */
export function sumByModel(events: readonly RunEvent[], prices: PriceTable): readonly ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  for (const event of events) {
    // The parts of a batch do not name their model.
    const { usage, model = 'unknown' } = event;
    if (usage === undefined || usage.totalTokens === 0) continue;
    const costUsd = costOfCall(event, prices);
    const call = {
      ...NO_COUNTS,
      ...pickTokens(usage),
      costUsd: costUsd ?? 0,
      unpricedCalls: costUsd === null ? 1 : 0,
    };
    const { runs: _, failedRuns: __, ...sum } = addCounts({ ...NO_COUNTS, ...sums.get(model) }, call);
    sums.set(model, { ...sum, model });
  }
  return [...sums.values()];
}

type Tokens = NonNullable<RunEvent['usage']>;

function pickTokens({ promptTokens, completionTokens, totalTokens }: Tokens): Tokens {
  return { promptTokens, completionTokens, totalTokens };
}

function costOfCall({ usage, costUsd, provider, model = '' }: RunEvent, prices: PriceTable): number | null {
  if (costUsd !== undefined || usage === undefined) return costUsd ?? null;
  // A classification names its model alone.
  const choice = { provider: (provider ?? 'hosted') as ProviderName, model };
  return costOf(usage, priceOf(choice, prices.of(choice)));
}
