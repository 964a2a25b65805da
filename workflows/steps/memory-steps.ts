import { proxyActivities } from '@temporalio/workflow';
import type { MemoryActivities } from '../../activities/memory';
import { longStep } from './long-steps';

const ATTEMPT_LIMIT_MS = 600_000;

/**
 * The steps of a run over memories, each with a line of its own in the Temporal UI.
 * @param limitMs longest a step may be tried, its repeats included; a day where it is not given
 */
export function memorySteps(summary: string, limitMs?: number): MemoryActivities {
  return proxyActivities<MemoryActivities>(longStep(summary, { attemptMs: ATTEMPT_LIMIT_MS, limitMs }));
}
