import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { temporal } from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import { beforeDeadline } from './deadline';
import { toMs } from './proto-time';
import { REPORTED_SKEW_MS, type ServerClock } from './server-clock';

const { TASK_QUEUE_TYPE_ACTIVITY } = temporal.api.enums.v1.TaskQueueType;

const LIMIT_MS = 1_000;
const MEASURE_EVERY_MS = 60_000;
const ASK_EVERY_MS = 20;
/** The server logs a warning about each poll that may take less than 20 s. */
const POLL_MS = 21_000;

export interface MeasuredServer {
  readonly native: NativeConnection;
  readonly namespace: string;
  /** A queue that nothing else uses. */
  readonly queue: string;
}

/**
 * Reads the server's clock at once, and again every minute until `stopped` aborts. The log says when the clock of this machine differs
 * by more than 5 s, and when it no longer does.
 * @returns when the clock has been read for the first time, or could not be
 */
export async function watchClock(
  server: MeasuredServer,
  clock: ServerClock,
  { logger, stopped }: { readonly logger: Logger; readonly stopped: AbortSignal },
): Promise<void> {
  let isReported = false;
  const read = async (): Promise<void> => {
    try {
      await measureClock(server, clock);
    } catch (error) {
      logger.debug({ reason: messageOf(error) }, 'the clock of the Temporal server could not be read');
    }
    const skewMs = clock.skewMs() ?? 0;
    const isSkewed = Math.abs(skewMs) > REPORTED_SKEW_MS;
    if (isSkewed && !isReported) logger.warn({ skewMs }, describeSkew(skewMs));
    if (!isSkewed && isReported) logger.info({ skewMs }, 'the clock of this machine is right again');
    isReported = isSkewed;
  };
  const repeat = async (): Promise<void> => {
    while (!stopped.aborted) {
      await delay(MEASURE_EVERY_MS, undefined, { ref: false, signal: stopped });
      await read();
    }
  };
  await read();
  void repeat().catch(() => undefined);
}

/** Says by how much the clock of this machine differs, and what to do. Pure. @param skewMs as `ServerClock.skewMs` */
export function describeSkew(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const way = skewMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this machine is ${seconds} s ${way} that of the Temporal server; synchronize both, for example by NTP`;
}

/**
 * Reads the server's clock. No call of its API returns the time, but it notes when a poll began: this polls a queue that has no
 * tasks, under an identity that is used once, and asks for the pollers of that queue. It takes two round trips.
 * @throws Error if the server refuses the calls; EngineDeadlineError if it does not answer within a second
 */
export async function measureClock(
  { native, namespace, queue }: MeasuredServer,
  clock: ServerClock,
): Promise<void> {
  const identity = `clock ${randomUUID()}`;
  const taskQueue = { name: queue };
  const { workflowService } = native;
  const sentAt = performance.now();
  const poll = native.withDeadline(Date.now() + POLL_MS, () =>
    workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity }),
  );
  const refused = poll.then(() => new Promise<never>(() => undefined));
  // It is still open when the time has been read, and ends later or with the connection.
  refused.catch(() => undefined);
  const time = await beforeDeadline(native, Date.now() + LIMIT_MS, () =>
    Promise.race([refused, untilListed()]),
  );
  clock.hear(time, sentAt);

  async function untilListed(): Promise<number> {
    for (;;) {
      const { pollers } = await workflowService.describeTaskQueue({
        namespace,
        taskQueue,
        taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
      });
      const ownPoller = pollers.find((poller) => poller.identity === identity);
      if (ownPoller !== undefined) return toMs(ownPoller.lastAccessTime);
      if (performance.now() - sentAt > LIMIT_MS) throw new Error('the poll is not listed');
      await delay(ASK_EVERY_MS);
    }
  }
}
