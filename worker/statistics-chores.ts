import type { Tenants } from '../src/tenants/tenants';
import { MAX_PRUNED } from '../src/tools/statistics';
import { runFullRounds } from './full-rounds';
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
