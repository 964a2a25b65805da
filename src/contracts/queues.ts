import type { ToolCall } from './runs';

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

/** Where a tool call waits that is no local activity. */
export function queueOfCall({ toolName, implementation }: ToolCall): StepQueue {
  switch (implementation.kind) {
    case 'source':
      return 'sandbox';
    case 'builtin':
      // A document that is too long for the workflow's own task is searched in the sandbox.
      return toolName === 'json_reader' ? 'sandbox' : 'io';
    case 'none':
      return 'io';
  }
}
