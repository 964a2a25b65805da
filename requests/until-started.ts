import type { StartedRun } from '../temporal/runs/started-run';
import type { Starting } from './starting';

/**
 * Starts a run without waiting for its result.
 * @param isLeft whether an error after the start is that of the run alone, and no answer to this request
 * @throws what `start` throws before the run is started, and after it other errors
 */
export async function untilStarted<C extends Starting>(
  context: C,
  start: (starting: C) => Promise<unknown>,
  isLeft: (error: unknown) => boolean,
): Promise<StartedRun> {
  let started: StartedRun | undefined;
  const noteRun = (run: StartedRun): void => {
    started = run;
    context.noteRun(run);
  };
  try {
    await start({ ...context, noteRun, waitMs: 0 });
  } catch (error) {
    if (started === undefined || !isLeft(error)) throw error;
  }
  if (started === undefined) throw new Error('the run was not reported');
  return started;
}
