import { isHoldfastError } from '../../src/base/errors';
import { ownerOfRun } from '../../src/contracts/runs/run-owner';
import type { PriceTable } from '../../src/llm/prices';
import type { EndedRun, ModelUsage } from '../../src/usage/usage-counts';
import type { UsageStore } from '../../src/usage/usage-store';
import type { Engine } from '../engine';
import { endedRuns, type EndedRunsScope, type IndexedEnd } from './ended-runs';
import { readModelUsage } from './model-usage';

export interface CountPorts {
  readonly engine: Engine;
  readonly usage: UsageStore;
  readonly prices: PriceTable;
  readonly scope: EndedRunsScope;
  /** Epoch milliseconds, by the clock of the Temporal server. */
  readonly now: () => number;
}

/** The index shows an end within about a second, and on other stores within a minute. */
const OVERLAP_MS = 60_000;
/** How far back the first count of a tenant goes. */
const FIRST_MS = 3_600_000;
/** How many logs are read at once. */
const AT_ONCE = 4;
/** The name of the service's own agent. */
const AGENT = 'holdfast';

/**
 * Counts the runs of a tenant that have ended since the last count, each once.
 * @returns how many it counted
 * @throws HoldfastError `ENGINE_UNAVAILABLE`, `STORE_UNAVAILABLE`; the signal's reason. What was counted before stays counted.
 */
export async function countEndedRuns(ports: CountPorts, signal: AbortSignal): Promise<number> {
  const { engine, usage, scope, now } = ports;
  const until = now();
  const last = (await usage.countedUntil()) ?? until - FIRST_MS;
  let counted = 0;
  for await (const page of endedRuns(engine, scope, last - OVERLAP_MS)) {
    signal.throwIfAborted();
    const uncounted = await usage.uncounted(page.map(({ runId }) => runId));
    const fresh = page.filter(({ runId }) => uncounted.has(runId));
    // What can be counted without a log goes first and together.
    const withoutLog = fresh.filter(({ mayUseModels }) => !mayUseModels);
    await usage.count(withoutLog.map((run) => toEndedRun(run, [])));
    const withLog = fresh.filter(({ mayUseModels }) => mayUseModels);
    for (let at = 0; at < withLog.length; at += AT_ONCE) {
      signal.throwIfAborted();
      await usage.count(
        await Promise.all(
          withLog
            .slice(at, at + AT_ONCE)
            .map(async (run) => toEndedRun(run, await modelsOf(ports, run, signal))),
        ),
      );
    }
    counted += fresh.length;
  }
  await usage.setCountedUntil(until);
  return counted;
}

/** A run whose log is gone, or cannot be read for an hour, is counted without its tokens, so that it does not stop the count. */
async function modelsOf(
  { engine, prices, now }: CountPorts,
  run: IndexedEnd,
  signal: AbortSignal,
): Promise<readonly ModelUsage[]> {
  try {
    return await readModelUsage(engine, run, prices, signal);
  } catch (error) {
    if (isHoldfastError(error) && error.retryable && now() - endOf(run) < FIRST_MS) throw error;
    return [];
  }
}

/** Epoch milliseconds. */
const endOf = ({ closed }: IndexedEnd): number => Math.floor(closed / 1_000);

function toEndedRun(run: IndexedEnd, models: readonly ModelUsage[]): EndedRun {
  const { runId, workflowId, type, status, agent = AGENT } = run;
  return {
    runId,
    closedAt: endOf(run),
    isFailed: status !== 'completed',
    user: ownerOfRun(workflowId).user,
    agent: type === 'agentTurn' ? agent : undefined,
    models,
  };
}
