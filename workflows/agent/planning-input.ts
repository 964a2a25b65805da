import { proxyLocalActivities } from '@temporalio/workflow';
import type { AgentActivities } from '../../activities/agent';
import type { PlanningBackground } from '../../src/contracts/runs/agent';
import type { Recalled } from '../../src/contracts/http/conversations';
import type { FilledQuery } from '../../src/contracts/runs/turns';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import { retryPolicy } from '../steps/retries';

/** These steps take milliseconds; they may be lost with their worker, milliseconds. */
const LIMIT_MS = 15_000;

function lightSteps(summary: string): AgentActivities {
  return proxyLocalActivities<AgentActivities>({
    scheduleToCloseTimeout: LIMIT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary,
  });
}

/** Puts what memory has in place of what the query says is remembered: rules read the query alone. */
export function fillFromMemory(query: string, recalled: Recalled): Promise<FilledQuery> {
  return lightSteps('builtin: take values from memories').fillQuery({ query, recalled });
}

/** Memories in words, for a model that plans. */
export function describeMemories(recalled: Recalled): Promise<PlanningBackground> {
  return lightSteps('put memories into words').describeMemories(recalled);
}
