import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError, messageOf } from '../../src/base/errors';
import type { RunningPart } from './spawn-part';

const POLL_MS = 50;

export interface WaitOptions {
  /** What is waited for, as the error says it: "PostgreSQL on port 5432". */
  readonly what: string;
  readonly limitMs: number;
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
  /** One bounded look; throws what is lacking. */
  readonly look: () => Promise<unknown>;
}

/**
 * Waits until a part that was started does its work. When that fails, it is stopped.
 *
 * @throws HoldfastError `ENGINE_UNAVAILABLE` that says what was waited for and why it did not come
 */
export async function waitForPart(
  part: RunningPart,
  { what, limitMs, signal, look }: WaitOptions,
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
      await look();
      if (ended === undefined) return part;
    } catch (error) {
      lacking = messageOf(error);
    }
    if (ended !== undefined) throw await failure(`it ended with ${ended}`);
    if (Date.now() > deadline) throw await failure(`waited ${limitMs} ms, and at last: ${lacking}`);
    await delay(POLL_MS);
  }
}
