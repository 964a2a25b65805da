import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import { createRunStrikes, type StrikeStore } from '../src/worker-faults/strikes';
import type { EngineConnection } from '../temporal/engine';
import { endHarmfulRun, readOpenTask, UNFIT_RUN_REASON } from '../temporal/runs/harmful-run';
import type { NotedRun } from './task-notes/note-file';

/** A run is ended when this many attempts at the same task have failed. */
const MAX_FAILURES = 3;
/** Attempts closer together count once. The server makes the second at once, and each query of a run is another one. */
const COUNTED_EVERY_MS = 4_000;

export interface UnfitRunsPorts {
  readonly documents: StrikeStore;
  readonly logger: Logger;
  /** Whether workers say which build they are of. A run may then wait for a build that can continue it. */
  readonly isVersioned: boolean;
  /** Epoch milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

/** Ends runs that the workflow code cannot continue, which would otherwise stand still until their time limit. */
export interface UnfitRuns {
  /** Counts a failed attempt at a workflow task of a run. It never rejects. */
  count(connection: EngineConnection, run: NotedRun, reason: string): Promise<void>;
}

export function createUnfitRuns({
  documents,
  logger,
  isVersioned,
  now = Date.now,
}: UnfitRunsPorts): UnfitRuns {
  const strikes = createRunStrikes(documents, now);

  async function count(connection: EngineConnection, run: NotedRun, reason: string): Promise<void> {
    const { workflowId, runId, workflowType } = run;
    const fields = { workflowId, runId, workflowType, reason };
    if (isVersioned) {
      logger.error(
        fields,
        'the workflow code of this build cannot continue a run, which waits for a build that can',
      );
      return;
    }
    const task = await readOpenTask(connection, run);
    if (task === undefined) return;
    // Processes whose clocks agree count an attempt of the same few seconds once.
    const id = `attempt-${Math.floor(now() / COUNTED_EVERY_MS)}`;
    const failures = await strikes.add(runId, `unfit ${task}`, id);
    logger.warn({ ...fields, failures }, 'the workflow code of this build cannot continue a run');
    if (failures < MAX_FAILURES) return;
    if (await endHarmfulRun(connection, run, `${UNFIT_RUN_REASON}: ${reason}`))
      logger.error(fields, 'terminated a run that the workflow code of this build cannot continue');
  }

  return {
    async count(connection, run, reason) {
      await count(connection, run, reason).catch((error: unknown) => {
        logger.warn(
          { runId: run.runId, reason: messageOf(error) },
          'a run that cannot be continued was not counted',
        );
      });
    },
  };
}
