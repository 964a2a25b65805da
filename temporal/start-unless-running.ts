import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { beforeDeadline } from './deadline';
import type { Engine } from './engine';
import { toSearchAttributes } from './search-attributes';

/** A run over memories that no request starts. */
export interface UpkeepRun {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: unknown;
  /** One line for the Temporal UI. */
  readonly summary: string;
  /** Absent: no limit. */
  readonly runTimeoutMs?: number;
}

const DEADLINE_MS = 3_000;

/**
 * Starts a run that a worker needs, unless one with its id is still running.
 * @throws the client's error where the engine cannot be asked
 */
export async function startUnlessRunning(
  engine: Engine,
  taskQueue: string,
  { workflowType, workflowId, input, summary, runTimeoutMs }: UpkeepRun,
): Promise<void> {
  const { client, native, searchAttributes } = engine.current();
  const start = () =>
    client.workflow.start(workflowType, {
      workflowId,
      taskQueue,
      args: [input],
      ...(runTimeoutMs === undefined ? {} : { workflowRunTimeout: runTimeoutMs }),
      staticSummary: summary,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: toSearchAttributes({ area: 'memory' }, searchAttributes),
    });
  try {
    await beforeDeadline(native, Date.now() + DEADLINE_MS, start);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
