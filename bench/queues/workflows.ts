import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Steps } from './steps';

const LIMIT = { startToCloseTimeout: 30_000 };

/** One regular step in a queue; absent: the run's own. */
export function regular(taskQueue: string | undefined, ms: number): Promise<number> {
  return proxyActivities<Steps>({ ...LIMIT, ...(taskQueue === undefined ? {} : { taskQueue }) }).wait(ms);
}

/** Several, one after another, so that the run comes back to its worker often. */
export async function several(taskQueue: string, count: number): Promise<void> {
  const { wait } = proxyActivities<Steps>({ ...LIMIT, taskQueue });
  for (let step = 0; step < count; step += 1) await wait(0);
}

/** One step in the sandbox. */
export function evaluated(taskQueue: string): Promise<unknown> {
  return proxyActivities<Steps>({ ...LIMIT, taskQueue }).evaluate(6, 7);
}

/** The least a run can do: one local step. */
export function light(): Promise<number> {
  return proxyLocalActivities<Steps>(LIMIT).wait(0);
}
