import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import type { RunningPart } from './spawn-part';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;
/** Whoever lived this long is well; what happened before counts no more. */
const WELL_AFTER_MS = 60_000;
const MAX_FAILURES = 10;

/** A part that is started again whenever it ends by itself. */
export interface Supervised {
  readonly name: string;
  /** Of the process that runs now; undefined between one and the next. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  readonly name: string;
  /** Starts it and resolves when it does its work. */
  readonly start: (signal: AbortSignal) => Promise<RunningPart>;
  readonly logger: Logger;
  /** Told each time when its process is no more. */
  readonly onEnd?: () => void;
  /** Told when it came to an end too often. */
  readonly giveUp: (reason: string) => void;
  /** Gives up the first start; without effect later. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws the error of `start` where the first one fails */
export async function supervise({
  name,
  start,
  logger,
  onEnd,
  giveUp,
  signal,
}: SuperviseOptions): Promise<Supervised> {
  const stopped = new AbortController();
  const isStopped = (): boolean => stopped.signal.aborted;
  const stopStarting = (): void => stopped.abort();
  if (signal?.aborted) stopStarting();
  signal?.addEventListener('abort', stopStarting, { once: true });
  let running: RunningPart | undefined;
  let failures = 0;

  async function startOnce(): Promise<RunningPart> {
    const part = await start(stopped.signal);
    if (isStopped()) {
      await part.stop();
      throw new Error('it is not wanted any more');
    }
    running = part;
    logger.info({ process: name, pid: part.pid }, 'a part of the cluster is up');
    return part;
  }

  /** Until it is up again; undefined when it is not wanted any more. */
  async function startAgain(): Promise<RunningPart | undefined> {
    for (;;) {
      failures += 1;
      if (failures > MAX_FAILURES) {
        giveUp(`${name} ended ${failures} times in a row, or did not start`);
        return undefined;
      }
      await delay(Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS), undefined, {
        signal: stopped.signal,
      }).catch(() => undefined);
      if (isStopped()) return undefined;
      try {
        return await startOnce();
      } catch (error) {
        if (isStopped()) return undefined;
        logger.error({ process: name, reason: messageOf(error) }, 'a part of the cluster did not start');
      }
    }
  }

  async function watch(first: RunningPart): Promise<void> {
    for (let part: RunningPart | undefined = first; part !== undefined;) {
      const since = Date.now();
      const reason = await part.ended;
      running = undefined;
      onEnd?.();
      if (isStopped()) return;
      if (Date.now() - since > WELL_AFTER_MS) failures = 0;
      logger.error(
        { process: name, pid: part.pid, reason },
        'a part of the cluster ended by itself; starting it again',
      );
      part = await startAgain();
    }
  }

  const first = await startOnce();
  signal?.removeEventListener('abort', stopStarting);
  const watching = watch(first);
  return {
    name,
    pid: () => running?.pid,
    async stop() {
      stopped.abort();
      await running?.stop();
      await watching;
    },
  };
}
