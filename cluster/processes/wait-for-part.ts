import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError, messageOf } from '../../src/base/errors';
import type { RunningPart } from './spawn-part';

const POLL_MS = 50;

export interface WaitOptions {
  /** Names the part in the error, such as "PostgreSQL on port 5432". */
  readonly what: string;
  readonly limitMs: number;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Checks once, with a time limit, whether the part is ready. Throws an error that says what it lacks. */
  readonly check: () => Promise<unknown>;
}

/**
 * Waits until a part that was started is ready. If that fails, the part is stopped.
 *
 * @throws HoldfastError `ENGINE_UNAVAILABLE` that names the part and says why it did not become ready
 */
export async function waitForPart(
  part: RunningPart,
  { what, limitMs, signal, check }: WaitOptions,
): Promise<RunningPart> {
  let ended: string | undefined;
  void part.ended.then((reason) => (ended = reason));
  const deadline = Date.now() + limitMs;
  const failure = async (reason: string): Promise<HoldfastError> => {
    await part.stop();
    return new HoldfastError('ENGINE_UNAVAILABLE', `${what} did not come up: ${reason}`);
  };
  for (let lacking = ''; ;) {
    if (signal?.aborted) throw await failure('the start was given up');
    try {
      await check();
      if (ended === undefined) return part;
    } catch (error) {
      lacking = messageOf(error);
    }
    if (ended !== undefined) throw await failure(`it ended with ${ended}`);
    if (Date.now() > deadline) throw await failure(`waited ${limitMs} ms, and at last: ${lacking}`);
    await delay(POLL_MS);
  }
}
