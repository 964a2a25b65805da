import type { ErasureInput } from '../../src/contracts/runs/memory';
import { ERASURE_PREFIX, tenantPrefix } from '../../src/contracts/runs/run-owner';
import { startInBackground, STORE_RUN_MS } from './background-run';
import type { Engine } from '../engine';

/** The options of every run that erases a user. */
export const ERASURE_RUN = {
  workflowType: 'eraseUserMemories',
  summary: 'erase the memories of a user',
  runTimeoutMs: STORE_RUN_MS,
} as const;

/**
 * Starts another run for an erasure that has lost its run, unless an earlier restart is still running.
 * @returns whether it has started one
 * @throws HoldfastError `ENGINE_UNAVAILABLE`
 */
export function restartErasure(
  engine: Engine,
  taskQueue: string,
  { tenant, erasureId }: { readonly tenant: string; readonly erasureId: string },
): Promise<boolean> {
  const input: ErasureInput = { erasureId };
  const workflowId = `${tenantPrefix(tenant)}${ERASURE_PREFIX}/again/${erasureId}`;
  return startInBackground(engine, taskQueue, {
    ...ERASURE_RUN,
    workflowId,
    input,
    subject: { area: 'memory' },
  });
}
