import { setTimeout as delay } from 'node:timers/promises';
import { isHoldfastError, messageOf } from '../src/base/errors';
import { isBusy } from '../src/stores/sqlite/errors';
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
 * for a remote store that is away and for a file that another process has locked, which may be bringing its schema up to date;
 * no longer than STARTUP_WAIT_MS, and for nothing else: what a server refuses is told at once.
 * @throws what `action` threw last
 */
export async function onceThere<T>(
  { config, logger }: Pick<Part, 'config' | 'logger'>,
  { setting, isRemote }: Place,
  action: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  let told = -LINE_EVERY_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      const waitedMs = performance.now() - started;
      const limitMs = isRemote || isLocked(error) ? config.STARTUP_WAIT_MS : 0;
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

/** A store's error has the driver's own as the cause of its cause. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && isBusy(error.cause.cause);
}

function isStoreAway(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'STORE_UNAVAILABLE' && error.retryable;
}
