/** The kinds of work. Each has its own task queue and worker slots, so that one kind cannot starve another. */
export const QUEUE_KINDS = ['workflows', 'io', 'sandbox', 'models'] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];
/** The kinds whose queues have single steps of runs, and no workflows. */
export type StepQueue = Exclude<QueueKind, 'workflows'>;

/** What each queue is for, in the words of messages and documentation. */
export const QUEUE_WORK: Readonly<Record<QueueKind, string>> = {
  workflows: 'workflows and their memory',
  io: 'tools that wait for a network or a disk',
  sandbox: 'tools that run in the sandbox',
  models: 'model calls',
};

/** Builds the name of a task queue. @param taskQueue the queue on which runs are started */
export function queueName(taskQueue: string, kind: QueueKind): string {
  return kind === 'workflows' ? taskQueue : `${taskQueue}-${kind}`;
}

/** Why a step timed out before a worker took it. */
export interface NotTaken {
  readonly reason: string;
  readonly taskQueue: string;
}

/** Says in which task queue a step waited that no worker took. Pure. @param taskQueue as in `queueName` */
export function describeNotTaken(taskQueue: string, kind: StepQueue): NotTaken {
  const name = queueName(taskQueue, kind);
  return {
    reason: `no worker took it from the task queue "${name}" (${QUEUE_WORK[kind]})`,
    taskQueue: name,
  };
}
