import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { fitDetail } from '../../src/contracts/json';
import { queueOfCall } from '../../src/contracts/runs/call-queue';
import { mayRunTwice } from '../../src/contracts/runs/repeatable-calls';
import type { ToolCall, ToolFailureDetails, ToolLimits } from '../../src/contracts/runs/tools';
import { notTaken } from './step-queue';

/** The reason of a timeout that no activity reported: an activity ends its tool at the limit, so this one was lost. */
const NOT_REPORTED =
  'its worker was lost, or could not report how it ended; not sent again, as it may have had its effect';

/**
 * Builds the failure of a run or an item from that of its activity. Its type is `TOOL_EXECUTION_FAILED`, `TOOL_TIMEOUT`
 * or `INTERNAL`; it is never retryable, and has a `ToolFailureDetails` as its first detail.
 */
export function toToolFailure(cause: unknown, call: ToolCall, limits: ToolLimits): ApplicationFailure {
  const { toolName } = call;
  const about = { toolName, args: fitDetail(call.args) };
  if (cause instanceof TimeoutFailure) {
    const missed = notTaken(cause, queueOfCall(call));
    const { reason, ...where } = missed ?? (mayRunTwice(call) ? {} : { reason: NOT_REPORTED });
    return timeoutFailure(toolName, limits, cause, where, reason);
  }
  if (!(cause instanceof ApplicationFailure)) {
    return createFailure('INTERNAL', `The tool "${toolName}" could not be run`, about, cause);
  }
  const { logs, answer } = reportOf(cause);
  if (cause.type === 'TOOL_TIMEOUT') return timeoutFailure(toolName, limits, cause, logs);
  // Arguments that are invalid only once their templates are resolved fail the step: the request itself was valid, and
  // earlier steps have run.
  if (cause.type === 'VALIDATION')
    return createFailure('TOOL_EXECUTION_FAILED', withField(cause), about, cause);
  return createFailure(cause.type ?? 'INTERNAL', cause.message, { ...about, ...logs, ...answer }, cause);
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
    ...(cause instanceof Error ? { cause } : {}),
  });
}

function timeoutFailure(
  toolName: string,
  { timeoutMs, source }: ToolLimits,
  cause: Error,
  more: Pick<ToolFailureDetails, 'logs' | 'taskQueue'>,
  reason?: string,
): ApplicationFailure {
  const late = `The tool "${toolName}" did not finish within ${timeoutMs} ms (limit: ${source})`;
  const message = reason === undefined ? late : `${late}: ${reason}`;
  return createFailure('TOOL_TIMEOUT', message, { toolName, timeout: timeoutMs, ...more }, cause);
}

function withField({ message, details }: ApplicationFailure): string {
  const { field } = (details?.[0] ?? {}) as { field?: string };
  return field === undefined ? message : `${field} ${message}`;
}

/** Reads what a tool reported with its failure: the log lines that it printed, and a response that was not expected. */
function reportOf({ details }: ApplicationFailure): {
  readonly logs: Pick<ToolFailureDetails, 'logs'>;
  readonly answer: Pick<ToolFailureDetails, 'answer'>;
} {
  const { logs = [], answer } = (details?.[0] ?? {}) as Pick<ToolFailureDetails, 'logs' | 'answer'>;
  return { logs: logs.length === 0 ? {} : { logs }, answer: answer === undefined ? {} : { answer } };
}
