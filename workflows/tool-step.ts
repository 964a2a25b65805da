import type { RetryPolicy } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ToolActivities } from '../activities/tools';
import { shorten, fitDetail } from '../src/contracts/json';
import { redact } from '../src/contracts/redact';
import type { ToolCall, ToolFailureDetails, ToolLimits, ToolStepResult } from '../src/contracts/runs';
import { isLightCall } from './light-calls';

/** A dead worker is noticed after this long without a heartbeat, milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 3_000;
const SUMMARY_LENGTH = 120;

// Attempts are not bounded here: an attempt lost with its worker must not use one up. The activity itself
// gives up after `limits.maxAttempts`, and the deadline ends everything.
const RETRY: RetryPolicy = { initialInterval: 250, backoffCoefficient: 2, maximumInterval: 5_000 };

/** One line for the Temporal UI: the tool and its arguments, secrets hidden. */
export function summarise(call: ToolCall): string {
  return shorten(`${call.toolName} ${JSON.stringify(redact(call.args))}`, SUMMARY_LENGTH);
}

function activities(call: ToolCall, limits: ToolLimits): Pick<ToolActivities, 'runTool'> {
  const options = { scheduleToCloseTimeout: limits.timeoutMs, retry: RETRY, summary: summarise(call) };
  return isLightCall(call)
    ? proxyLocalActivities<ToolActivities>(options)
    : proxyActivities<ToolActivities>({ ...options, heartbeatTimeout: HEARTBEAT_TIMEOUT_MS });
}

/**
 * Runs one tool call, `step` being its name within the run.
 * @throws ApplicationFailure of type `TOOL_EXECUTION_FAILED`, `TOOL_TIMEOUT` or `INTERNAL`, never retryable, whose
 * first detail is a `ToolFailureDetails`
 */
export async function runToolStep(call: ToolCall, step: string, limits: ToolLimits): Promise<ToolStepResult> {
  const started = Date.now();
  try {
    return await activities(call, limits).runTool({
      ...call,
      step,
      limits,
      deadline: started + limits.timeoutMs,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    const cause = error instanceof ActivityFailure ? error.cause : error;
    // An activity that ran to its end has recorded its own outcome; one that timed out may not have.
    if (cause instanceof TimeoutFailure) await recordTimeout(call, step, Date.now() - started);
    throw toFailure(cause, call, limits);
  }
}

async function recordTimeout(call: ToolCall, step: string, executionTime: number): Promise<void> {
  const { recordToolCall } = proxyLocalActivities<ToolActivities>({
    scheduleToCloseTimeout: 10_000,
    summary: `count ${call.toolName} as timed out`,
  });
  // The caller's answer does not depend on a figure in the statistics.
  await recordToolCall({ toolName: call.toolName, step, success: false, executionTime }).catch(
    () => undefined,
  );
}

function toFailure(cause: unknown, call: ToolCall, limits: ToolLimits): ApplicationFailure {
  const about = { toolName: call.toolName, args: fitDetail(call.args) };
  if (cause instanceof TimeoutFailure) return timeoutFailure(call.toolName, limits, cause);
  if (!(cause instanceof ApplicationFailure)) {
    return failure('INTERNAL', `The tool "${call.toolName}" could not be run`, about, cause);
  }
  if (cause.type === 'TOOL_TIMEOUT') return timeoutFailure(call.toolName, limits, cause);
  // Arguments that turn out wrong only once their templates are resolved are a failure of this step: the
  // request itself was sound, and earlier steps have run.
  if (cause.type === 'VALIDATION') return failure('TOOL_EXECUTION_FAILED', withField(cause), about, cause);
  return failure(cause.type ?? 'INTERNAL', cause.message, about, cause);
}

function withField({ message, details }: ApplicationFailure): string {
  const { field } = (details?.[0] ?? {}) as { field?: string };
  return field === undefined ? message : `${field} ${message}`;
}

function timeoutFailure(toolName: string, limits: ToolLimits, cause: Error): ApplicationFailure {
  const message = `The tool "${toolName}" did not finish within ${limits.timeoutMs} ms (limit: ${limits.source})`;
  return failure('TOOL_TIMEOUT', message, { toolName, timeout: limits.timeoutMs }, cause);
}

function failure(
  type: string,
  message: string,
  details: ToolFailureDetails,
  cause: unknown,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    details: [details],
    ...(cause instanceof Error ? { cause } : {}),
  });
}

/** The tool's failure that `runToolStep` threw, or undefined for anything else. */
export function toolFailureOf(
  error: unknown,
): { failure: ApplicationFailure; details: ToolFailureDetails } | undefined {
  if (!(error instanceof ApplicationFailure)) return undefined;
  const details = error.details?.[0] as ToolFailureDetails | undefined;
  return details === undefined ? undefined : { failure: error, details };
}
