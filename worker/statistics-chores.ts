import type { IntentStatisticsStore } from '../src/intent/statistics/intent-statistics';
import type { ToolStatisticsStore } from '../src/tools/statistics';
import { MAX_PRUNED } from '../src/tools/statistics';
import { runFullRounds } from './full-rounds';
import type { Chore } from './housekeeping';

export interface StatisticsChoresPorts {
  readonly tools: Pick<ToolStatisticsStore, 'prune' | 'rollUp'>;
  readonly intents: Pick<IntentStatisticsStore, 'rollUp'>;
}

const EVERY_MS = 120_000;
/** Shortest pause between two rounds of pruning. */
const PAUSE_MS = 200;

/** The chores that remove what the statistics have left in the store that all processes share. */
export function statisticsChores({ tools, intents }: StatisticsChoresPorts): Chore[] {
  return [
    {
      name: 'expired statistics',
      everyMs: EVERY_MS,
      run: (signal) =>
        runFullRounds({ round: () => tools.prune(), full: MAX_PRUNED, pauseMs: PAUSE_MS }, signal),
    },
    {
      name: 'counters of past minutes, which are in the totals now',
      everyMs: EVERY_MS,
      run: async (signal) => (await tools.rollUp(signal)) + (await intents.rollUp(signal)),
    },
  ];
}
