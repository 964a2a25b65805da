import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../src/config';

export type TuningConfig = Pick<
  Config,
  | 'WORKER_MAX_ACTIVITIES'
  | 'WORKER_MAX_LOCAL_ACTIVITIES'
  | 'WORKER_MAX_WORKFLOW_TASKS'
  | 'WORKER_MAX_CACHED_WORKFLOWS'
  | 'SHUTDOWN_GRACE_MS'
>;

/** How a worker is set up whatever it runs; the bench's baseline uses the same. */
export function workerTuning(config: TuningConfig): Partial<WorkerOptions> {
  return {
    maxConcurrentActivityTaskExecutions: config.WORKER_MAX_ACTIVITIES,
    maxConcurrentLocalActivityExecutions: config.WORKER_MAX_LOCAL_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: config.WORKER_MAX_WORKFLOW_TASKS,
    maxCachedWorkflows: config.WORKER_MAX_CACHED_WORKFLOWS,
    // How long a dead worker's private queue keeps a task before another worker may have it.
    stickyQueueScheduleToStartTimeout: '1.5s',
    // The SDK otherwise holds heartbeats back for 80 % of their timeout.
    maxHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: config.SHUTDOWN_GRACE_MS,
    shutdownForceTime: config.SHUTDOWN_GRACE_MS + 5_000,
  };
}
