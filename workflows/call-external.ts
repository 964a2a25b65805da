import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  TimeoutFailure,
} from '@temporalio/common';
import {
  ActivityCancellationType,
  ChildWorkflowCancellationType,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExternalActivities, PreparedCall } from '../activities/external';
import { fitDetail } from '../src/contracts/json';
import { RETRY_DELAYS } from '../src/contracts/retries';
import { describeTimeout } from '../src/contracts/runs/call-failures';
import { mayRunTwice } from '../src/contracts/runs/calls';
import {
  bytesOf,
  type ExternalCall,
  type ExternalCallInput,
  MAX_EXTERNAL_BYTES,
  PlainValue,
  readExternalResult,
  toExternalArguments,
} from '../src/contracts/runs/external-calls';
import { summariseCall } from '../src/contracts/runs/summaries';
import type { ToolStepResult } from '../src/contracts/runs/tools';
import { causeOf } from './steps/cause-of';
import { countCall } from './steps/count-call';
import { createFailure } from './steps/failures';
import { retryPolicy } from './steps/retries';
import { ownerAttributes } from './steps/run-attributes';

const OWN_LIMIT_MS = 10_000;

type AnyActivities = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/**
 * Has a worker of the operator's run a tool, as an activity or as a workflow of its own, and counts the call.
 * @throws ApplicationFailure `TOOL_EXECUTION_FAILED` or `TOOL_TIMEOUT`, with `ToolFailureDetails`; the run's cancellation
 */
export async function callExternal(input: ExternalCallInput): Promise<ToolStepResult> {
  const { step, call } = input;
  const { toolName } = call;
  const started = Date.now();
  let success = false;
  try {
    const { args, maxResultBytes } = await prepare(call);
    const result = readExternalResult(await send({ ...input, call: { ...call, args } }), maxResultBytes);
    if ('problem' in result) throw refused(result.problem);
    success = true;
    return { step, toolName, executionTime: Date.now() - started, output: result.output };
  } catch (error) {
    throw isCancellation(error) ? error : await toFailure(error, input);
  } finally {
    const outcome = { step, toolName, success, executionTime: Date.now() - started };
    await countCall(outcome, `count ${toolName}`);
  }
}

async function prepare(call: ExternalCall): Promise<PreparedCall> {
  try {
    return await ownActivities(`prepare ${call.toolName}`).prepareExternalCall(call);
  } catch (error) {
    // Its own time limit is not that of the call.
    if (causeOf(error) instanceof TimeoutFailure)
      throw refused('The call could not be prepared in time; it was not sent');
    throw error;
  }
}

async function send({ call, limits }: ExternalCallInput): Promise<unknown> {
  const { as, taskQueue, name, heartbeatMs } = call.implementation;
  const args = toExternalArguments(call);
  if (bytesOf(args) > MAX_EXTERNAL_BYTES)
    throw refused(`The arguments have more than ${MAX_EXTERNAL_BYTES} bytes, which no other worker is sent`);
  const plain = args.map((value) => new PlainValue(value));
  const maximumAttempts = mayRunTwice(call) ? limits.maxAttempts : 1;
  const retry = { ...retryPolicy(limits.delays ?? RETRY_DELAYS), maximumAttempts };
  if (as === 'workflow') {
    return executeChild<(...args: unknown[]) => Promise<unknown>>(name, {
      workflowId: `${workflowInfo().workflowId}/run`,
      taskQueue,
      args: plain,
      retry,
      workflowExecutionTimeout: limits.timeoutMs,
      typedSearchAttributes: ownerAttributes(),
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_REQUESTED,
    });
  }
  const activities = proxyActivities<AnyActivities>({
    taskQueue,
    retry,
    scheduleToCloseTimeout: limits.timeoutMs,
    ...(heartbeatMs === undefined ? {} : { heartbeatTimeout: heartbeatMs }),
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    summary: summariseCall(call),
  });
  return activities[name]?.(...plain);
}

function ownActivities(summary: string): ExternalActivities {
  return proxyLocalActivities<ExternalActivities>({
    scheduleToCloseTimeout: OWN_LIMIT_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary,
  });
}

function refused(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'TOOL_EXECUTION_FAILED');
}

/** Says why a call failed: with the type and message of the other worker's error, or that no worker polls the queue. */
async function toFailure(error: unknown, { call, limits }: ExternalCallInput): Promise<ApplicationFailure> {
  const { toolName, args, implementation } = call;
  const { taskQueue, as, heartbeatMs } = implementation;
  const about = { toolName, args: fitDetail(args) };
  const hide = (message: string): Promise<string> =>
    ownActivities(`hide credentials of ${toolName}`).hideCredentials(args, message);
  const cause = error instanceof ChildWorkflowFailure ? error.cause : causeOf(error);
  if (cause instanceof TimeoutFailure) {
    if (cause.timeoutType === 'HEARTBEAT') {
      const silent = `The worker that ran the tool "${toolName}" sent no heartbeat within ${heartbeatMs ?? 0} ms`;
      return createFailure('TOOL_TIMEOUT', silent, { ...about, taskQueue }, cause);
    }
    const pollers = await ownActivities(`pollers of ${taskQueue}`)
      .countPollers({ taskQueue, as })
      .catch(() => undefined);
    const before = failureIn(cause.cause);
    const why =
      pollers === 0
        ? `no worker polls the task queue "${taskQueue}"`
        : before && (await hide(before.message));
    const { code, message, details } = describeTimeout(toolName, limits, { taskQueue }, why);
    return createFailure(code, message, details, cause);
  }
  const failure = failureIn(cause);
  if (failure === undefined)
    return createFailure('TOOL_EXECUTION_FAILED', `The tool "${toolName}" was stopped`, about, cause);
  const { type } = failure;
  const named = type == null || type === 'TOOL_EXECUTION_FAILED' ? {} : { errorType: type };
  return createFailure('TOOL_EXECUTION_FAILED', await hide(failure.message), { ...about, ...named });
}

/** The error of the other worker's code: a workflow that failed by its own activity or child wraps it. */
function failureIn(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure)
    return failureIn(error.cause);
  return undefined;
}
