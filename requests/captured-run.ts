import { memoryErasing } from '../src/stores/memory/errors';
import type { RunClient, RunRequest } from '../temporal/runs/run-client';
import { pseudonymOfSession, RUN_USER } from '../src/secrets/pseudonyms';
import type { TurnRuns, TurnRunsPorts } from './turn-runs';

/**
 * Ends a request at the point at which its run would be started. It is no error of the service, so that what the request has taken,
 * such as its place in a session, stays.
 */
class Captured extends Error {
  constructor(readonly run: RunRequest | undefined) {
    super('the run is not started here');
  }
}

/** Starts no runs: a request for one ends with what would be started. */
export const CAPTURING: RunClient = {
  execute: (run) => Promise.reject(new Captured(run)),
  join: () => Promise.reject(new Error('A run that is captured has no key')),
};

/** Prepares turns, and takes no places in sessions. @param isErasing whether a user is being erased */
export function turnsToCheck(isErasing: (userId: string) => Promise<boolean>): TurnRuns {
  return {
    async take(turn) {
      if (await isErasing(turn.userId)) throw memoryErasing();
      await turn.prepare(undefined);
      throw new Captured(undefined);
    },
  };
}

/** Prepares turns that other turns call: each in a session of its own, so that it waits for none. Its request has the id of its workflow. */
export function turnsToCall({
  isErasing,
  pseudonyms,
}: Pick<TurnRunsPorts, 'isErasing' | 'pseudonyms'>): TurnRuns {
  return {
    async take(turn, { requestId }) {
      if (await isErasing(turn.userId)) throw memoryErasing();
      const { mayPause: _, ...prepared } = await turn.prepare(undefined);
      const user = pseudonyms(RUN_USER, turn.userId);
      const subject = { area: turn.area, user, session: pseudonymOfSession(pseudonyms, turn) };
      throw new Captured({ ...prepared, subject, workflowId: requestId, requestId, runTimeoutMs: undefined });
    },
  };
}

/**
 * Makes a request with `CAPTURING`.
 * @returns the run that it would start; undefined for a turn that is only checked
 * @throws what the request throws before its run is started
 */
export async function captureRun(request: () => Promise<unknown>): Promise<RunRequest | undefined> {
  try {
    await request();
  } catch (error) {
    if (error instanceof Captured) return error.run;
    throw error;
  }
  throw new Error('The request has started no run');
}
