import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { beforeDeadline } from '../deadline';
import type { Engine } from '../engine';
import { toSearchAttributes, type RunSubject } from '../search-attributes';

/** A run that a worker starts, and for which no request waits. */
export interface BackgroundRun {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly input: unknown;
  readonly subject: RunSubject;
  readonly summary: string;
  /** Milliseconds; absent: no limit. */
  readonly runTimeoutMs?: number;
}

/** A run over the data of a store has a day, so that it survives a long outage of the store, milliseconds. */
export const STORE_RUN_MS = 86_400_000;
const DEADLINE_MS = 3_000;

/**
 * Starts a run, unless one of its workflow id is open.
 * @returns whether it has started one
 * @throws the client's error if the engine cannot be asked
 */
export async function startInBackground(
  engine: Engine,
  taskQueue: string,
  { workflowId, workflowType, input, subject, summary, runTimeoutMs }: BackgroundRun,
): Promise<boolean> {
  const { client, native, searchAttributes } = engine.current();
  const start = () =>
    client.workflow.start(workflowType, {
      workflowId,
      taskQueue,
      args: [input],
      ...(runTimeoutMs === undefined ? {} : { workflowRunTimeout: runTimeoutMs }),
      staticSummary: summary,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: toSearchAttributes(subject, searchAttributes),
    });
  try {
    await beforeDeadline(native, Date.now() + DEADLINE_MS, start);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
