import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import { createRunStrikes, type StrikeStore } from '../src/worker-faults/strikes';
import type { EngineConnection } from '../temporal/engine';
import { endHarmfulRun, hasOpenTask, readOpenTask, UNFIT_RUN_REASON } from '../temporal/runs/harmful-run';
import type { NotedRun } from '../temporal/sdk-patches/note-file';

/** A run is ended when attempts at the same task have failed in this many windows of time. */
const MAX_FAILURES = 3;

export interface UnfitRunsPorts {
  readonly documents: StrikeStore;
  readonly logger: Logger;
  /** Whether workers say which build they are of. A run may then wait for a build that can continue it. */
  readonly isVersioned: boolean;
  /** Attempts that fail in the same window of time, milliseconds, count once: workers of another build may take the next one. */
  readonly windowMs: number;
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
  windowMs,
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
    // A query is answered by a replay too, also by a worker of another build, and a run that only waits may wait on.
    if (!(await hasOpenTask(connection, run))) return;
    const task = await readOpenTask(connection, run);
    if (task === undefined) return;
    const id = `attempt-${Math.floor(now() / windowMs)}`;
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
