import { CancellationScope, proxyLocalActivities } from '@temporalio/workflow';
import type { StepOutcome, ToolActivities } from '../../activities/tools';

const RECORD_LIMIT_MS = 10_000;

/** Counts a call, also in a run that is cancelled. A count that fails is dropped: the caller's answer must not depend on statistics. */
export async function countCall(outcome: StepOutcome, summary: string): Promise<void> {
  const { recordToolCall } = proxyLocalActivities<ToolActivities>({
    scheduleToCloseTimeout: RECORD_LIMIT_MS,
    summary,
  });
  await CancellationScope.nonCancellable(() => recordToolCall(outcome)).catch(() => undefined);
}
