import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import type { RunningPart } from './spawn-part';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;
/** A process that has run this long is healthy, so its earlier failures no longer count. */
const HEALTHY_AFTER_MS = 60_000;
const MAX_FAILURES = 10;

/** A part that is started again whenever it ends by itself. */
export interface Supervised {
  readonly name: string;
  /** The pid of the present process; undefined between two processes. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  readonly name: string;
  /** Starts the process and resolves when it is ready. */
  readonly start: (signal: AbortSignal) => Promise<RunningPart>;
  readonly logger: Logger;
  /** Called each time its process has ended. */
  readonly onEnd?: () => void;
  /** Called when it has ended too often to be started again. */
  readonly giveUp: (reason: string) => void;
  /** Aborts the first start. It has no effect later. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a part, and starts it again whenever it ends by itself.
 * @throws the error of `start` if the first start fails
 */
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
      throw new Error('it was stopped while it started');
    }
    running = part;
    logger.info({ process: name, pid: part.pid }, 'a part of the cluster is up');
    return part;
  }

  /** Repeats the start until the part is up. Undefined if the part was stopped meanwhile, or failed too often. */
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
      if (Date.now() - since > HEALTHY_AFTER_MS) failures = 0;
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
