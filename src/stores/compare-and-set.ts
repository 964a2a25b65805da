import { setImmediate as yieldToEventLoop, setTimeout as pause } from 'node:timers/promises';
import { HoldfastError } from '../base/errors';
import { backOffMs } from '../base/async/time-limit';

/** An attempt returns this if its versions did not match, because another writer was first. */
export const CONFLICT = Symbol('conflict');

/**
 * A writer that writes again and again without a pause can win against one that pauses, most of all in a slow store, so
 * this is far more than the conflicts that other writers cause by one write each.
 */
const MAX_ATTEMPTS = 200;
const MAX_PAUSE_MS = 50;

/**
 * Repeats a read-and-write until its versions match. Each conflict means that another writer succeeded, so the service always
 * makes progress; random, growing pauses give every writer a chance.
 *
 * `what` names the written data for the error. Throws `STORE_UNAVAILABLE` (retryable) after 200 conflicts in a row (about
 * five seconds), and whatever `attempt` throws.
 */
export async function untilNoConflict<T>(
  what: string,
  attempt: () => Promise<T | typeof CONFLICT>,
): Promise<T> {
  for (let conflicts = 0; conflicts < MAX_ATTEMPTS; conflicts += 1) {
    if (conflicts === 1) await yieldToEventLoop();
    if (conflicts > 1) await pause(backOffMs(conflicts, MAX_PAUSE_MS));
    const result = await attempt();
    if (result !== CONFLICT) return result;
  }
  throw new HoldfastError('STORE_UNAVAILABLE', `Too many writers at once: ${what} could not be written`, {
    retryable: true,
  });
}
