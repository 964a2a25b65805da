import { withinTime } from '../src/base/async/within-time';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';

/** So long, and up to as long again: processes that are started together begin apart. */
const FIRST_AFTER_MS = 60_000;
/** A stop does not wait longer for what is under way: it is done over the next time. */
const STOP_LIMIT_MS = 1_000;

/** Something that has to be removed now and then. */
export interface Chore {
  /** What is removed, as a log line says it. */
  readonly name: string;
  /** Milliseconds from one round to the next. */
  readonly everyMs: number;
  /** Answers how many things were removed. May take longer than `everyMs`; ends soon when `signal` aborts. */
  run(signal: AbortSignal): Promise<number>;
}

export interface Housekeeping {
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/**
 * Runs each chore in its own interval, and a first time after one minute to two; never twice at the same time. One that fails
 * is logged and tried again.
 */
export function startHousekeeping(logger: Logger, chores: readonly Chore[]): Housekeeping {
  const stopping = new AbortController();
  const underWay = new Map<Chore, Promise<void>>();
  const begin = (chore: Chore): void => {
    if (underWay.has(chore)) return;
    const done = round(chore, logger, stopping.signal).finally(() => underWay.delete(chore));
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
      await withinTime(Promise.all(underWay.values()), STOP_LIMIT_MS, () => undefined);
    },
  };
}

async function round({ name, run }: Chore, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    const removed = await run(signal);
    if (removed > 0) logger.info({ removed }, `removed ${name}`);
  } catch (error) {
    if (!signal.aborted) logger.warn({ reason: messageOf(error) }, `could not remove ${name}`);
  }
}
