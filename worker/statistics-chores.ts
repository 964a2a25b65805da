import { setTimeout as delay } from 'node:timers/promises';
import type { Tenants } from '../src/tenants/tenants';
import { MAX_PRUNED } from '../src/tools/statistics';
import type { Chore } from './housekeeping';

const EVERY_MS = 120_000;
/** Shortest pause between two rounds of pruning. */
const PAUSE_MS = 200;

/** The chores that remove what the statistics have left in the store that all processes share. */
export function statisticsChores(tenants: Tenants): Chore[] {
  return [
    {
      name: 'expired statistics',
      everyMs: EVERY_MS,
      run: (signal) =>
        // What has expired is removed for all tenants together.
        runFullRounds(
          { round: () => tenants.default.statistics.prune(), full: MAX_PRUNED, pauseMs: PAUSE_MS },
          signal,
        ),
    },
    {
      name: 'counters of past minutes, which are in the totals now',
      everyMs: EVERY_MS,
      async run(signal) {
        let removed = 0;
        for (const tenant of await tenants.list()) {
          signal.throwIfAborted();
          const { statistics, intents } = await tenants.of(tenant);
          removed += (await statistics.rollUp(signal)) + (await intents.statistics.rollUp(signal));
        }
        return removed;
      },
    },
  ];
}

interface FullRoundsPorts {
  /** @returns how many items it removed */
  readonly round: () => Promise<number>;
  /** How many items one round can remove at most. A round that removes as many may have left more. */
  readonly full: number;
  /** Shortest pause between two rounds, ms. A round that takes longer is followed by a pause as long as itself. */
  readonly pauseMs: number;
}

/**
 * Repeats the round while each is full, so that a backlog of any size is removed. The pauses leave the store to other
 * callers for at least as long as the rounds have used it.
 * @returns how many items were removed
 */
export async function runFullRounds(
  { round, full, pauseMs }: FullRoundsPorts,
  signal: AbortSignal,
): Promise<number> {
  let all = 0;
  while (!signal.aborted) {
    const began = performance.now();
    const removed = await round();
    all += removed;
    if (removed < full) break;
    const used = performance.now() - began;
    await delay(Math.max(pauseMs, used), undefined, { signal, ref: false }).catch(() => undefined);
  }
  return all;
}
