import type { IntentStatisticsStore } from '../src/intent/statistics/intent-statistics';
import type { ToolStatisticsStore } from '../src/tools/statistics';
import { MAX_PRUNED } from '../src/tools/statistics';
import { fullRounds } from './full-rounds';
import type { Chore } from './housekeeping';

export interface StatisticsChoresPorts {
  readonly tools: Pick<ToolStatisticsStore, 'prune' | 'rollUp'>;
  readonly intents: Pick<IntentStatisticsStore, 'rollUp'>;
}

const EVERY_MS = 120_000;
/** Between two rounds of pruning while more is left. */
const PAUSE_MS = 200;

/** What the statistics leave in the store that all processes share. */
export function statisticsChores({ tools, intents }: StatisticsChoresPorts): Chore[] {
  return [
    {
      name: 'expired statistics',
      everyMs: EVERY_MS,
      run: (signal) =>
        fullRounds({ round: () => tools.prune(), full: MAX_PRUNED, pauseMs: PAUSE_MS }, signal),
    },
    {
      name: 'counters of past minutes, which are in the totals now',
      everyMs: EVERY_MS,
      run: async (signal) => (await tools.rollUp(signal)) + (await intents.rollUp(signal)),
    },
  ];
}
