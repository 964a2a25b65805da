import { TypedSearchAttributes } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  upsertMemo,
} from '@temporalio/workflow';
import type { ScheduleActivities } from '../activities/schedules';
import {
  type ScheduledRunInput,
  type ScheduledRunResult,
  STARTED_MEMO,
  type StartedMemo,
} from '../src/contracts/runs/scheduled';
import { toAttributePair } from './steps/attribute-pairs';
import { longStep, withStepFailure } from './steps/long-steps';

const ATTEMPT_LIMIT_MS = 30_000;
/** The engine may be away for a while when a schedule fires, milliseconds. */
const PREPARE_LIMIT_MS = 600_000;

/**
 * Starts the run of a schedule, and ends as that run does, so that what the schedule says of overlaps and failures means the run.
 * Whatever cancels or ends this workflow asks the run to end too.
 */
export async function scheduledRun({ scheduleId }: ScheduledRunInput): Promise<ScheduledRunResult> {
  const limits = { attemptMs: ATTEMPT_LIMIT_MS, limitMs: PREPARE_LIMIT_MS };
  const { prepareScheduled } = proxyActivities<ScheduleActivities>(longStep(`prepare ${scheduleId}`, limits));
  let start = await withStepFailure(() => prepareScheduled(scheduleId));
  // The place of a turn in its session is given up if its run does not begin in time.
  while (!('skipped' in start) && (start.startBefore ?? Infinity) < Date.now())
    start = await withStepFailure(() => prepareScheduled(scheduleId));
  if ('skipped' in start) return { skipped: start.skipped };
  const child = await startChild(start.workflowType, {
    workflowId: start.workflowId,
    args: start.files === undefined ? [start.input] : [start.input, start.files],
    workflowRunTimeout: start.runTimeoutMs,
    workflowTaskTimeout: '3s',
    memo: start.memo,
    typedSearchAttributes: new TypedSearchAttributes(Object.entries(start.attributes).map(toAttributePair)),
    staticSummary: start.summary,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
  const started: StartedMemo = { workflowId: child.workflowId, runId: child.firstExecutionRunId };
  upsertMemo({ [STARTED_MEMO]: started });
  try {
    await child.result();
  } catch (error) {
    // A run that was cancelled by itself has not failed, so it pauses no schedule.
    if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
  }
  return {};
}
