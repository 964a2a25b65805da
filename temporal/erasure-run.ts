import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { ErasureInput } from '../src/contracts/runs/memory';
import { beforeDeadline } from './deadline';
import type { Engine } from './engine';
import { searchAttributesOf } from './search-attributes';

/** Begins the workflow ids. */
export const ERASURE_PREFIX = 'erase-user-memories';

/** What every erasure of a user is run with. */
export const ERASURE_RUN = {
  workflowType: 'eraseUserMemories',
  summary: 'erase the memories of a user',
  /** A run that a store which is away holds up is not given up for a day, milliseconds. */
  runTimeoutMs: 86_400_000,
} as const;

const DEADLINE_MS = 3_000;

/**
 * Starts a run for an erasure that has lost its own, unless one was started before that goes on.
 * @throws the client's error where the engine cannot be asked
 */
export async function startErasureAgain(engine: Engine, taskQueue: string, erasureId: string): Promise<void> {
  const { client, native, searchAttributes } = engine.current();
  const { workflowType, summary, runTimeoutMs } = ERASURE_RUN;
  const input: ErasureInput = { erasureId };
  const start = () =>
    client.workflow.start(workflowType, {
      workflowId: `${ERASURE_PREFIX}/again/${erasureId}`,
      taskQueue,
      args: [input],
      workflowRunTimeout: runTimeoutMs,
      staticSummary: summary,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      ...(searchAttributes ? { typedSearchAttributes: searchAttributesOf({ area: 'memory' }) } : {}),
    });
  try {
    await beforeDeadline(native, Date.now() + DEADLINE_MS, start);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
