import { setTimeout as delay } from 'node:timers/promises';
import { isHoldfastError, messageOf } from '../src/base/errors';
import type { Part } from './process';

const RETRY_MS = 500;
const LINE_EVERY_MS = 5_000;

/** Where data is kept. */
export interface Place {
  /** What is to blame where it cannot be used. */
  readonly setting: string;
  /** False for a folder of this machine, which is there or not. */
  readonly isRemote: boolean;
}

/**
 * Does `action` as soon as the server that it needs is there: whichever of the two is started first, both come up. Waits
 * for nothing but a remote store that is away, and no longer than STARTUP_WAIT_MS; what a server refuses is told at once.
 * @throws what `action` threw last
 */
export async function onceThere<T>(
  { config, logger }: Pick<Part, 'config' | 'logger'>,
  { setting, isRemote }: Place,
  action: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const limitMs = isRemote ? config.STARTUP_WAIT_MS : 0;
  let told = -LINE_EVERY_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      const waitedMs = performance.now() - started;
      if (!isStoreAway(error) || waitedMs + RETRY_MS > limitMs) throw error;
      if (waitedMs - told >= LINE_EVERY_MS) {
        const secondsLeft = Math.ceil((limitMs - waitedMs) / 1_000);
        logger.warn({ setting, reason: messageOf(error), secondsLeft }, 'waiting for the store');
        told = waitedMs;
      }
      await delay(RETRY_MS);
    }
  }
}

function isStoreAway(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'STORE_UNAVAILABLE' && error.retryable;
}
