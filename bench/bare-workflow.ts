import { proxyLocalActivities } from '@temporalio/workflow';
import type { BareActivities } from './bare-activities';

const { add } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: 30_000 });

/** The smallest durable run: one local activity. */
export function bare(a: number, b: number): Promise<number> {
  return add(a, b);
}
