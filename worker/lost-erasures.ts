import type { Logger } from '../src/base/logger';
import type { Erasures } from '../src/memory/erasures';
import type { runStateOf } from '../temporal/run-state';
import type { Chore } from './housekeeping';

export interface LostErasuresPorts {
  readonly erasures: Pick<Erasures, 'list' | 'userOf'>;
  readonly runState: (workflowId: string) => ReturnType<typeof runStateOf>;
  readonly startAgain: (erasureId: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

const EVERY_MS = 10_000;
/** Longer than a run may take to be started, milliseconds. */
const START_MS = 10_000;

/**
 * Goes on with erasures whose run could not be started, was ended from outside or gave up: until an erasure ends, its user
 * cannot write. Two runs of one erasure do no harm, as each step may be repeated.
 */
export function lostErasures({ erasures, runState, startAgain, now, logger }: LostErasuresPorts): Chore {
  return {
    name: 'users whose erasure has no run',
    everyMs: EVERY_MS,
    async run(signal) {
      for (const { erasureId, workflowId, since } of await erasures.list()) {
        if (signal.aborted) break;
        if (now() - since < START_MS || (await runState(workflowId)) === 'running') continue;
        // It may have ended with its run, a moment ago.
        if ((await erasures.userOf(erasureId)) === undefined) continue;
        await startAgain(erasureId);
        logger.warn({ workflowId }, 'an erasure had lost its run, and goes on in another');
      }
      // What the runs remove they tell themselves.
      return 0;
    },
  };
}
