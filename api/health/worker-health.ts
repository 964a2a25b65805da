import type { DetailedHealth, WorkerStatus } from '../../src/contracts/http/health';
import { QUEUE_WORK } from '../../src/contracts/queues';
import { describeMissingBuilds, GONE_OR_BUSY } from '../../temporal/describe-builds';
import { isFresh, type Poller } from '../../temporal/pollers';
import { serverClock } from '../../temporal/server-clock';
import { buildsOfNewRuns, type QueuePolls } from '../../temporal/task-queues';

type Workers = Pick<DetailedHealth['services']['workers'], 'status' | 'reason' | 'queues'>;

/**
 * Derives the health of the workers from the pollers of their queues; only workers that take new runs count. Without a
 * poller for workflows no run continues, which is unhealthy. Without a poller for a kind of step, the runs that need it
 * wait and all others continue, which is degraded.
 */
export function workerHealth(polls: readonly QueuePolls[]): Workers {
  const queues = polls.map(({ kind, taskQueue, identities: { length: pollers } }) => ({
    kind,
    taskQueue,
    pollers,
    status: toStatus(kind, pollers),
  }));
  const missing = queues.filter(({ status }) => status !== 'healthy');
  const status = missing.find((queue) => queue.status === 'unhealthy')?.status ?? missing[0]?.status;
  const isMissing = (kind: QueuePolls['kind']): boolean => missing.some((queue) => queue.kind === kind);
  const reasons = explainMissingPollers(polls.filter(({ kind }) => isMissing(kind)));
  return {
    status: status ?? 'healthy',
    ...(missing.length === 0 ? {} : { reason: reasons.join('. ') }),
    queues,
  };
}

/** Explains which queues no worker polls; for a queue that only builds without new runs poll, it says what to do. */
function explainMissingPollers(missing: readonly QueuePolls[]): string[] {
  const now = serverClock.now();
  const othersOf = ({ pollers }: QueuePolls): Poller[] =>
    pollers.filter(({ lastPoll }) => isFresh(lastPoll, now));
  const deserted = missing.filter((polls) => othersOf(polls).length === 0);
  const named = deserted.map(({ kind, taskQueue }) => `"${taskQueue}" (${QUEUE_WORK[kind]})`);
  return [
    ...(named.length === 0 ? [] : [`no worker is polling ${named.join(', ')}: ${GONE_OR_BUSY}`]),
    ...missing
      .filter((polls) => !deserted.includes(polls))
      .map((polls) => describeMissingBuilds(polls, buildsOfNewRuns(polls), othersOf(polls))),
  ];
}

function toStatus(kind: QueuePolls['kind'], pollers: number): WorkerStatus {
  if (pollers > 0) return 'healthy';
  return kind === 'workflows' ? 'unhealthy' : 'degraded';
}
