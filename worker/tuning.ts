import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../src/settings/config';
import type { QueueKind } from '../src/contracts/queues';
import { WAITING_STEPS } from './step-places';

export type TuningConfig = Pick<
  Config,
  | 'WORKER_MAX_ACTIVITIES'
  | 'WORKER_MAX_IO_ACTIVITIES'
  | 'WORKER_MAX_SANDBOX_ACTIVITIES'
  | 'WORKER_MAX_MODEL_ACTIVITIES'
  | 'WORKER_MAX_LOCAL_ACTIVITIES'
  | 'WORKER_MAX_WORKFLOW_TASKS'
  | 'WORKER_MAX_CACHED_WORKFLOWS'
  | 'WORKER_WORKFLOW_POLLERS'
  | 'WORKER_ACTIVITY_POLLERS'
  | 'SHUTDOWN_GRACE_MS'
>;

/** The times, slots and pollers of the worker of one queue. */
export function workerTuning(config: TuningConfig, kind: QueueKind): Partial<WorkerOptions> {
  const slots = activitySlots(config, kind);
  return {
    // By default the SDK holds heartbeats back for 80 % of their timeout.
    maxHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: config.SHUTDOWN_GRACE_MS,
    shutdownForceTime: config.SHUTDOWN_GRACE_MS + 5_000,
    maxConcurrentActivityTaskExecutions: slots,
    maxConcurrentActivityTaskPolls: Math.min(config.WORKER_ACTIVITY_POLLERS, slots),
    ...(kind === 'workflows' ? workflowTuning(config) : {}),
  };
}

function activitySlots(config: TuningConfig, kind: QueueKind): number {
  switch (kind) {
    case 'workflows':
      return config.WORKER_MAX_ACTIVITIES;
    case 'io':
      return config.WORKER_MAX_IO_ACTIVITIES;
    case 'sandbox':
      return config.WORKER_MAX_SANDBOX_ACTIVITIES;
    case 'models':
      return config.WORKER_MAX_MODEL_ACTIVITIES + WAITING_STEPS;
  }
}

function workflowTuning(config: TuningConfig): Partial<WorkerOptions> {
  return {
    maxConcurrentLocalActivityExecutions: config.WORKER_MAX_LOCAL_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: config.WORKER_MAX_WORKFLOW_TASKS,
    maxConcurrentWorkflowTaskPolls: Math.min(
      config.WORKER_WORKFLOW_POLLERS,
      config.WORKER_MAX_WORKFLOW_TASKS,
    ),
    maxCachedWorkflows: config.WORKER_MAX_CACHED_WORKFLOWS,
    // How long the sticky queue of a dead worker keeps a task before another worker can take it.
    stickyQueueScheduleToStartTimeout: '1.5s',
  };
}
