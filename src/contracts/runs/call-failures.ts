import { fitDetail } from '../json';
import { describeNotTaken } from '../queues';
import { mayRunTwice, queueOfCall } from './calls';
import type { ToolCall, ToolFailureDetails, ToolLimits } from './tools';

/** The reason of a timeout that no activity reported: an activity ends its tool at the limit, so this one was lost. */
const NOT_REPORTED =
  'its worker was lost, or could not report how it ended; not sent again, as it may have had its effect';

/** Why an activity failed, in the fields that Temporal's own failures have. */
export interface ActivityCause {
  readonly message: string;
  /** With a timeout that no activity reported: the timer that ended. */
  readonly timeoutType?: string;
  /** The code of an error that the activity reported. */
  readonly type?: string | null | undefined;
  readonly details?: readonly unknown[] | null | undefined;
}

/** Under which conditions a call was made. */
export interface CallConditions {
  readonly limits: ToolLimits;
  /** The task queue of the run, from which those of its steps have their names. */
  readonly taskQueue: string;
}

export interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly details: ToolFailureDetails;
}

/**
 * Describes the failure of a call to the run that made it, by that of its activity. Its code is `TOOL_EXECUTION_FAILED`,
 * `TOOL_TIMEOUT` or `INTERNAL`. Pure.
 * @param cause undefined for a failure that is neither a timeout nor an error of the activity
 */
export function describeCallFailure(
  cause: ActivityCause | undefined,
  call: ToolCall,
  { limits, taskQueue }: CallConditions,
): CallFailure {
  const { toolName } = call;
  const about = { toolName, args: fitDetail(call.args) };
  if (cause === undefined)
    return { code: 'INTERNAL', message: `The tool "${toolName}" could not be run`, details: about };
  if (cause.timeoutType === 'SCHEDULE_TO_START') {
    const { reason, ...where } = describeNotTaken(taskQueue, queueOfCall(call));
    return describeTimeout(toolName, limits, where, reason);
  }
  if (cause.timeoutType !== undefined)
    return describeTimeout(toolName, limits, {}, mayRunTwice(call) ? undefined : NOT_REPORTED);
  const { logs, answer } = reportOf(cause);
  if (cause.type === 'TOOL_TIMEOUT') return describeTimeout(toolName, limits, logs);
  // Arguments that are invalid only once their templates are resolved fail the step: the request itself was valid, and
  // earlier steps have run.
  if (cause.type === 'VALIDATION')
    return { code: 'TOOL_EXECUTION_FAILED', message: withField(cause), details: about };
  const details = { ...about, ...logs, ...answer };
  return { code: cause.type ?? 'INTERNAL', message: cause.message, details };
}

/** Describes the failure of a call that did not end within its limit. Pure. @param reason if it is known */
export function describeTimeout(
  toolName: string,
  { timeoutMs, source }: ToolLimits,
  more: Pick<ToolFailureDetails, 'logs' | 'taskQueue'>,
  reason?: string,
): CallFailure {
  const late = `The tool "${toolName}" did not finish within ${timeoutMs} ms (limit: ${source})`;
  const message = reason === undefined ? late : `${late}: ${reason}`;
  return { code: 'TOOL_TIMEOUT', message, details: { toolName, timeout: timeoutMs, ...more } };
}

function withField({ message, details }: ActivityCause): string {
  const { field } = (details?.[0] ?? {}) as { field?: string };
  return field === undefined ? message : `${field} ${message}`;
}

/** Reads what a tool reported with its failure: the log lines that it printed, and a response that was not expected. */
function reportOf({ details }: ActivityCause): {
  readonly logs: Pick<ToolFailureDetails, 'logs'>;
  readonly answer: Pick<ToolFailureDetails, 'answer'>;
} {
  const { logs = [], answer } = (details?.[0] ?? {}) as Pick<ToolFailureDetails, 'logs' | 'answer'>;
  return { logs: logs.length === 0 ? {} : { logs }, answer: answer === undefined ? {} : { answer } };
}
