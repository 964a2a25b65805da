import { proxyActivities } from '@temporalio/workflow';
import type { ConsolidationActivities } from '../../activities/consolidation';
import { longStep } from './long-steps';

const ATTEMPT_LIMIT_MS = 600_000;

/** Builds the steps of a run that consolidates memories. @param summary the step's line in the Temporal UI */
export function consolidationSteps(summary: string): ConsolidationActivities {
  return proxyActivities<ConsolidationActivities>(longStep(summary, { attemptMs: ATTEMPT_LIMIT_MS }));
}
