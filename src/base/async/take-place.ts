import type { Semaphore } from './semaphore';
import { untilAborted } from './until-aborted';

/**
 * Takes a permit of a semaphore for longer than one function runs.
 * @returns what gives the permit back
 * @throws the reason of the signal, if it aborts before a permit is free
 */
export async function takePlace(places: Semaphore, signal: AbortSignal): Promise<() => void> {
  const taken = new Promise<() => void>((resolve) => {
    void places.run(() => new Promise<void>(resolve));
  });
  try {
    return await untilAborted(taken, signal);
  } catch (error) {
    void taken.then((leave) => leave());
    throw error;
  }
}
