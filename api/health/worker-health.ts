import type { DetailedHealth, WorkerStatus } from '../../src/contracts/health';
import { QUEUE_WORK } from '../../src/contracts/queues';
import type { QueuePolls } from '../../temporal/task-queues';

type Workers = Pick<DetailedHealth['services']['workers'], 'status' | 'reason' | 'queues'>;

/**
 * What the workers can do by who polls their queues. Without anybody for the workflows no run goes on, which is unhealthy;
 * without anybody for a kind of step the runs that need it wait, and all others go on, which is degraded.
 */
export function workerHealth(polls: readonly QueuePolls[]): Workers {
  const queues = polls.map(({ kind, taskQueue, identities: { length: pollers } }) => ({
    kind,
    taskQueue,
    pollers,
    status: statusOf(kind, pollers),
  }));
  const missing = queues.filter(({ status }) => status !== 'healthy');
  const status = missing.find((queue) => queue.status === 'unhealthy')?.status ?? missing[0]?.status;
  const named = missing.map(({ kind, taskQueue }) => `"${taskQueue}" (${QUEUE_WORK[kind]})`);
  return {
    status: status ?? 'healthy',
    ...(missing.length === 0 ? {} : { reason: `no worker is polling ${named.join(', ')}` }),
    queues,
  };
}

function statusOf(kind: QueuePolls['kind'], pollers: number): WorkerStatus {
  if (pollers > 0) return 'healthy';
  return kind === 'workflows' ? 'unhealthy' : 'degraded';
}
