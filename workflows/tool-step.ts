import type { RetryPolicy } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { ToolActivities } from '../activities/tools';
import { RETRY_DELAYS } from '../src/contracts/retries';
import type { ToolCall, ToolLimits, ToolStepResult } from '../src/contracts/runs';
import { summariseCall } from '../src/contracts/summaries';
import { isLightCall } from './light-calls';
import { toToolFailure } from './tool-failures';

/** A dead worker is noticed after this long without a heartbeat, milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 3_000;
const RECORD_LIMIT_MS = 10_000;

// Attempts are not bounded here: one that is lost with its worker must always be followed by another. The activity
// itself gives up after `limits.maxAttempts`, and the deadline ends everything.
const RETRY: RetryPolicy = {
  initialInterval: RETRY_DELAYS.firstMs,
  backoffCoefficient: RETRY_DELAYS.factor,
  maximumInterval: RETRY_DELAYS.longestMs,
};

function activities(call: ToolCall, limits: ToolLimits): Pick<ToolActivities, 'runTool'> {
  const options = { scheduleToCloseTimeout: limits.timeoutMs, retry: RETRY, summary: summariseCall(call) };
  return isLightCall(call)
    ? proxyLocalActivities<ToolActivities>(options)
    : proxyActivities<ToolActivities>({ ...options, heartbeatTimeout: HEARTBEAT_TIMEOUT_MS });
}

/**
 * Runs one tool call, `step` being its name within the run.
 * @throws ApplicationFailure as `toToolFailure` makes it; the cancellation when the run is cancelled
 */
export async function runToolStep(call: ToolCall, step: string, limits: ToolLimits): Promise<ToolStepResult> {
  const started = Date.now();
  try {
    const deadline = started + limits.timeoutMs;
    return await activities(call, limits).runTool({ ...call, step, limits, deadline });
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error;
    if (mayBeUncounted(cause)) await recordUnfinished(call, step, Date.now() - started);
    if (isCancellation(error)) throw error;
    throw toToolFailure(cause, call, limits);
  }
}

/**
 * An activity that ran to its end has counted its own outcome. One that timed out, was cancelled, or hoped for
 * another attempt may not have; counting twice does no harm.
 */
function mayBeUncounted(cause: unknown): boolean {
  if (cause instanceof ApplicationFailure) return cause.nonRetryable !== true;
  return cause instanceof TimeoutFailure || isCancellation(cause);
}

async function recordUnfinished(call: ToolCall, step: string, executionTime: number): Promise<void> {
  const { recordToolCall } = proxyLocalActivities<ToolActivities>({
    scheduleToCloseTimeout: RECORD_LIMIT_MS,
    summary: `count ${call.toolName} as failed`,
  });
  const outcome = { toolName: call.toolName, step, success: false, executionTime };
  // The caller's answer does not depend on a figure in the statistics.
  await CancellationScope.nonCancellable(() => recordToolCall(outcome)).catch(() => undefined);
}
