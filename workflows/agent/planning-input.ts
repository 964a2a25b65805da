import { proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import type { PlanningBackground } from '../../src/contracts/runs/agent';
import type { Recalled } from '../../src/contracts/http/conversations';
import type { FilledQuery } from '../../src/contracts/runs/turns';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { retryPolicy } from '../steps/retries';

/**
 * Time limit of these steps, milliseconds. They take a few, but one that is lost with its worker has to be repeated.
 */
const LIMIT_MS = 15_000;

function inlineSteps(summary: string): AgentActivities {
  return proxyLocalActivities<AgentActivities>({
    scheduleToCloseTimeout: LIMIT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary,
  });
}

/** Replaces what the query refers to by its value from memory, because rules read the query alone. */
export function fillFromMemory(query: string, recalled: Recalled): Promise<FilledQuery> {
  return inlineSteps('builtin: take values from memories').fillQuery({ query, recalled });
}

/** Puts memories into words, for a model that plans. */
export function describeMemories(recalled: Recalled): Promise<PlanningBackground> {
  return inlineSteps('put memories into words').describeMemories(recalled);
}
