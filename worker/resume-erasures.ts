import type { Logger } from '../src/base/logger';
import type { Erasures } from '../src/memory/erasures';
import type { readRunState } from '../temporal/run-state';
import type { Chore } from './housekeeping';

export interface ResumeErasuresPorts {
  readonly erasures: Pick<Erasures, 'list' | 'userOf'>;
  readonly runState: (workflowId: string) => ReturnType<typeof readRunState>;
  readonly startAgain: (erasureId: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

const EVERY_MS = 10_000;
/** Longer than it may take to start a run, ms. */
const START_MS = 10_000;

/**
 * Resumes erasures whose run could not be started, was terminated or gave up, because the user of an erasure cannot
 * write until it ends. Two runs of one erasure do no harm, as each of its steps may be repeated.
 */
export function resumeErasures({ erasures, runState, startAgain, now, logger }: ResumeErasuresPorts): Chore {
  return {
    name: 'users whose erasure has no run',
    everyMs: EVERY_MS,
    async run(signal) {
      for (const { erasureId, workflowId, since } of await erasures.list()) {
        if (signal.aborted) break;
        if (now() - since < START_MS || (await runState(workflowId)) === 'running') continue;
        // The erasure may have ended together with its run since the list was read.
        if ((await erasures.userOf(erasureId)) === undefined) continue;
        await startAgain(erasureId);
        logger.warn({ workflowId }, 'an erasure had lost its run and was resumed in another one');
      }
      // The runs of the erasures report what they remove.
      return 0;
    },
  };
}
