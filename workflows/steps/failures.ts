import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import { describeCallFailure } from '../../src/contracts/runs/call-failures';
import type { ToolCall, ToolFailureDetails, ToolLimits } from '../../src/contracts/runs/tools';

/**
 * Builds the failure of a run or an item from that of its activity, as `describeCallFailure` describes it. It is never
 * retryable, and has a `ToolFailureDetails` as its first detail.
 */
export function toToolFailure(cause: unknown, call: ToolCall, limits: ToolLimits): ApplicationFailure {
  const isKnown = cause instanceof TimeoutFailure || cause instanceof ApplicationFailure;
  const { taskQueue } = workflowInfo();
  const { code, message, details } = describeCallFailure(isKnown ? cause : undefined, call, {
    limits,
    taskQueue,
  });
  return createFailure(code, message, details, cause);
}

/** @returns the failure of a tool that a step threw; undefined for any other error */
export function toolFailureOf(
  error: unknown,
): { failure: ApplicationFailure; details: ToolFailureDetails } | undefined {
  if (!(error instanceof ApplicationFailure)) return undefined;
  const details = error.details?.[0] as ToolFailureDetails | undefined;
  return details === undefined ? undefined : { failure: error, details };
}

/** Creates a failure that is not retried and carries details for the caller. */
export function createFailure(
  type: string,
  message: string,
  details: object,
  cause?: unknown,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    details: [details],
    cause: cause instanceof Error ? cause : undefined,
  });
}
