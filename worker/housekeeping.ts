import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import { withinTime } from '../src/base/async/time-limit';

/**
 * A first round begins after this time plus a random part of the same length, so that processes started together
 * begin apart.
 */
const FIRST_AFTER_MS = 60_000;
/** A stop waits no longer than this for the rounds under way, because the next process repeats them. */
const STOP_LIMIT_MS = 1_000;

/** Work that a worker repeats in an interval, mostly removing what is no longer needed. */
export interface Chore {
  /** What the chore removes, as the log line names it: "expired statistics". */
  readonly name: string;
  /** Milliseconds from one round to the next. */
  readonly everyMs: number;
  /**
   * Present on a chore whose rounds are further apart than `everyMs`: milliseconds from a round that was done to the next. A
   * round that failed is repeated after `everyMs`. Only exclusive chores have it, because the store remembers their rounds.
   */
  readonly dueMs?: number;
  /**
   * Resolves with how many items it removed. It may take longer than `everyMs`, and ends soon after `signal` aborts.
   */
  run(signal: AbortSignal): Promise<number>;
}

export interface Housekeeping {
  /** Starts no more rounds, and resolves when those under way have ended or the time limit is over. */
  stop(): Promise<void>;
}

/**
 * Runs each chore in its own interval, the first time after one to two minutes, and never twice at the same time. A
 * failure is logged, and the chore runs again in its next interval.
 */
export function startHousekeeping(logger: Logger, chores: readonly Chore[]): Housekeeping {
  const stopping = new AbortController();
  const underWay = new Map<Chore, Promise<void>>();
  const begin = (chore: Chore): void => {
    if (underWay.has(chore)) return;
    const done = runRound(chore, logger, stopping.signal).finally(() => underWay.delete(chore));
    underWay.set(chore, done);
  };
  const timers = chores.flatMap((chore) => [
    setTimeout(() => begin(chore), FIRST_AFTER_MS * (1 + Math.random())).unref(),
    setInterval(() => begin(chore), chore.everyMs).unref(),
  ]);
  return {
    async stop() {
      timers.forEach((timer) => clearTimeout(timer));
      stopping.abort();
      await withinTime(Promise.all(underWay.values()), STOP_LIMIT_MS);
    },
  };
}

async function runRound({ name, run }: Chore, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    const removed = await run(signal);
    if (removed > 0) logger.info({ removed }, `removed ${name}`);
  } catch (error) {
    if (!signal.aborted) logger.warn({ reason: messageOf(error) }, `could not remove ${name}`);
  }
}
