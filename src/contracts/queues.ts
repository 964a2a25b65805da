/** What waits for slots of its own: each kind has a task queue, so that one cannot starve another. */
export const QUEUE_KINDS = ['workflows', 'io', 'sandbox', 'models'] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];
/** Those that hold single steps of runs, and no workflow. */
export type StepQueue = Exclude<QueueKind, 'workflows'>;

/** What each is for, as messages and documentation say it. */
export const QUEUE_WORK: Readonly<Record<QueueKind, string>> = {
  workflows: 'workflows and their memory',
  io: 'tools that wait for a network or a disk',
  sandbox: 'tools that run in the sandbox',
  models: 'model calls',
};

/** The name of a queue; `taskQueue` is the one that runs are started on. */
export function queueName(taskQueue: string, kind: QueueKind): string {
  return kind === 'workflows' ? taskQueue : `${taskQueue}-${kind}`;
}
