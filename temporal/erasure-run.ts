import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { ErasureInput } from '../src/contracts/runs/memory';
import { ERASURE_PREFIX, tenantPrefix } from '../src/contracts/runs/run-owner';
import { beforeDeadline } from './deadline';
import type { Engine } from './engine';
import { toSearchAttributes } from './search-attributes';

/** The options of every run that erases a user. */
export const ERASURE_RUN = {
  workflowType: 'eraseUserMemories',
  summary: 'erase the memories of a user',
  /** The run waits up to a day for a store that is away, ms. */
  runTimeoutMs: 86_400_000,
} as const;

const DEADLINE_MS = 3_000;

/**
 * Starts another run for an erasure that has lost its run, unless an earlier restart is still running.
 * @throws the client's error where the engine cannot be asked
 */
export async function restartErasure(
  engine: Engine,
  taskQueue: string,
  { tenant, erasureId }: { readonly tenant: string; readonly erasureId: string },
): Promise<void> {
  const { client, native, searchAttributes } = engine.current();
  const { workflowType, summary, runTimeoutMs } = ERASURE_RUN;
  const input: ErasureInput = { erasureId };
  const start = () =>
    client.workflow.start(workflowType, {
      workflowId: `${tenantPrefix(tenant)}${ERASURE_PREFIX}/again/${erasureId}`,
      taskQueue,
      args: [input],
      workflowRunTimeout: runTimeoutMs,
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
