import { proxyActivities } from '@temporalio/workflow';
import type { ConsolidationActivities } from '../../activities/consolidation';
import type { MemoryActivities } from '../../activities/memory';
import { longStep } from './long-steps';

const ATTEMPT_LIMIT_MS = 600_000;

/**
 * Builds the steps of a run over memories.
 * @param summary the step's line in the Temporal UI
 * @param limitMs limit of a step with all its retries, milliseconds; a day if it is not given
 */
export function memorySteps(summary: string, limitMs?: number): MemoryActivities {
  return proxyActivities<MemoryActivities>(longStep(summary, { attemptMs: ATTEMPT_LIMIT_MS, limitMs }));
}

/** Builds the steps of a run that consolidates memories. @param summary the step's line in the Temporal UI */
export function consolidationSteps(summary: string): ConsolidationActivities {
  return proxyActivities<ConsolidationActivities>(longStep(summary, { attemptMs: ATTEMPT_LIMIT_MS }));
}
