import { proxyLocalActivities } from '@temporalio/workflow';
import type { BareActivities } from './bare-activities';

const { add } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: 30_000 });

/** The least a durable run can do: one local activity. */
export function bare(a: number, b: number): Promise<number> {
  return add(a, b);
}
