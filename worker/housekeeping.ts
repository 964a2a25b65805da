import { messageOf } from '../src/errors';
import type { Logger } from '../src/logger';

const FIRST_AFTER_MS = 60_000;

/** Something that has to be removed now and then. */
export interface Chore {
  /** What is removed, as a log line says it. */
  readonly name: string;
  /** Milliseconds from one round to the next. */
  readonly everyMs: number;
  /** Answers how many things were removed. */
  run(): Promise<number>;
}

/** Runs each chore in its own interval, and a first time after a minute. One that fails is logged and tried again. */
export function startHousekeeping(logger: Logger, chores: readonly Chore[]): { stop(): void } {
  const timers = chores.flatMap((chore) => [
    setTimeout(() => void round(chore, logger), FIRST_AFTER_MS).unref(),
    setInterval(() => void round(chore, logger), chore.everyMs).unref(),
  ]);
  return { stop: () => timers.forEach((timer) => clearTimeout(timer)) };
}

async function round({ name, run }: Chore, logger: Logger): Promise<void> {
  try {
    const removed = await run();
    if (removed > 0) logger.info({ removed }, `removed ${name}`);
  } catch (error) {
    logger.warn({ reason: messageOf(error) }, `could not remove ${name}`);
  }
}
