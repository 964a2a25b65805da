import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Steps } from './steps';

const LIMIT = { startToCloseTimeout: 30_000 };

/** Runs one regular step in a queue; undefined for the queue of the run. */
export function regular(taskQueue: string | undefined, ms: number): Promise<number> {
  return proxyActivities<Steps>({ ...LIMIT, ...(taskQueue === undefined ? {} : { taskQueue }) }).wait(ms);
}

/** Runs several steps one after another, so that the run returns to its worker often. */
export async function several(taskQueue: string, count: number): Promise<void> {
  const { wait } = proxyActivities<Steps>({ ...LIMIT, taskQueue });
  for (let step = 0; step < count; step += 1) await wait(0);
}

/** Runs one step in the sandbox. */
export function evaluated(taskQueue: string): Promise<unknown> {
  return proxyActivities<Steps>({ ...LIMIT, taskQueue }).evaluate(6, 7);
}

/** Runs one local step, the smallest possible run. */
export function light(): Promise<number> {
  return proxyLocalActivities<Steps>(LIMIT).wait(0);
}
