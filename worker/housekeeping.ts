import { messageOf } from '../src/errors';
import type { Logger } from '../src/logger';

const INTERVAL_MS = 3_600_000;
const FIRST_AFTER_MS = 60_000;

/**
 * Runs each chore an hour apart, and a first time after a minute. A chore answers how many things it removed;
 * one that fails is logged and tried again the next time.
 */
export function startHousekeeping(
  logger: Logger,
  chores: Readonly<Record<string, () => Promise<number>>>,
): { stop(): void } {
  async function round(): Promise<void> {
    for (const [name, chore] of Object.entries(chores)) {
      try {
        const removed = await chore();
        if (removed > 0) logger.info({ removed }, `removed ${name}`);
      } catch (error) {
        logger.warn({ reason: messageOf(error) }, `could not remove ${name}`);
      }
    }
  }

  const first = setTimeout(() => void round(), FIRST_AFTER_MS).unref();
  const timer = setInterval(() => void round(), INTERVAL_MS).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
