import { setTimeout as delay } from 'node:timers/promises';
import { isHoldfastError, messageOf } from '../src/base/errors';
import { isBusy } from '../src/base/sqlite-codes';
import type { Part } from './process';

const RETRY_MS = 500;
const LINE_EVERY_MS = 5_000;

/** A folder or server where data is kept. */
export interface Place {
  /** The setting that names it, for the message if it cannot be used. */
  readonly setting: string;
  /** False for a folder of this machine, for which it does not help to wait. */
  readonly isRemote: boolean;
}

/**
 * Repeats `action` until the store that it needs can be reached, so that service and store may be started in any
 * order. It repeats only if a remote store is away or another process has locked the file, for instance to migrate
 * its schema, and for STARTUP_WAIT_MS at most. Any other error, such as a refusal of the server, is thrown at once.
 * @throws the last error of `action`
 */
export async function retryWhileAway<T>(
  { config, logger }: Pick<Part, 'config' | 'logger'>,
  { setting, isRemote }: Place,
  action: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  let loggedAtMs = -LINE_EVERY_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      const waitedMs = performance.now() - started;
      const limitMs = isRemote || isLocked(error) ? config.STARTUP_WAIT_MS : 0;
      if (!isStoreAway(error) || waitedMs + RETRY_MS > limitMs) throw error;
      if (waitedMs - loggedAtMs >= LINE_EVERY_MS) {
        const secondsLeft = Math.ceil((limitMs - waitedMs) / 1_000);
        logger.warn({ setting, reason: messageOf(error), secondsLeft }, 'waiting for the store');
        loggedAtMs = waitedMs;
      }
      await delay(RETRY_MS);
    }
  }
}

/** The error of a store has the driver's error as the cause of its cause. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && isBusy(error.cause.cause);
}

function isStoreAway(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'STORE_UNAVAILABLE' && error.retryable;
}
