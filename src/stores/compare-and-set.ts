import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { backOffMs } from '../base/async/back-off';
import { HoldfastError } from '../base/errors';

/** Returned by an attempt whose versions did not match: somebody else wrote in between. */
export const CONFLICT = Symbol('conflict');

const MAX_ATTEMPTS = 40;
const MAX_PAUSE_MS = 50;

/**
 * Repeats a read-and-write until its versions match. Each conflict means that another writer got through, so
 * the whole always moves on; the random, growing pauses let a writer that keeps losing have its turn.
 *
 * `what` names the thing written, for the error. Throws `STORE_UNAVAILABLE` (retryable) after 40 conflicts in
 * a row (about a second), and whatever `attempt` throws.
 */
export async function untilNoConflict<T>(
  what: string,
  attempt: () => Promise<T | typeof CONFLICT>,
): Promise<T> {
  for (let conflicts = 0; conflicts < MAX_ATTEMPTS; conflicts += 1) {
    if (conflicts === 1) await nextTurn();
    if (conflicts > 1) await pause(backOffMs(conflicts, MAX_PAUSE_MS));
    const result = await attempt();
    if (result !== CONFLICT) return result;
  }
  throw new HoldfastError('STORE_UNAVAILABLE', `Too many writers at once: ${what} could not be written`, {
    retryable: true,
  });
}
