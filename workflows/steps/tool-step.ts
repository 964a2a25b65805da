import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ToolActivities } from '../../activities/tools';
import { jsonLength } from '../../src/contracts/json-length';
import { isExternal } from '../../src/contracts/runs/external-calls';
import { isInlineCall, limitsOfCall, queueOfCall, mayRunTwice } from '../../src/contracts/runs/calls';
import { RETRY_DELAYS } from '../../src/contracts/retries';
import {
  COUNT_LIMIT_MS,
  type ExecuteToolsInput,
  type SettledToolStep,
  type ToolCall,
  type ToolLimits,
  type ToolStepResult,
} from '../../src/contracts/runs/tools';
import { summariseCalls } from '../../src/contracts/runs/summaries';
import type { FollowingCalls, LeadingResult } from '../../src/templates/following-calls';
import type { Approvals } from './approvals';
import { ByteBudget } from './byte-budget';
import { causeOf } from './cause-of';
import { countCall } from './count-call';
import { runExternalStep } from './external-step';
import { inQueue } from './step-queue';
import { toToolFailure } from './failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './retries';
import { startUncancelled, throwIfCancelled } from './uncancelled';

/**
 * An activity that runs a tool may take this much longer than the tool, milliseconds: it ends the tool at the tool's
 * deadline and then counts the call. This is more than `COUNT_LIMIT_MS`, so that slow counting never times out the
 * activity.
 */
const COUNT_MARGIN_MS = COUNT_LIMIT_MS + 1_000;

const NO_OUTCOME: SettledToolStep = { succeeded: false, code: 'INTERNAL', message: 'no outcome' };

/** A call and its name within the run. */
interface NamedCall {
  readonly call: ToolCall;
  readonly step: string;
}

/** Builds the options of an activity that runs tools, local or regular. */
function buildToolOptions({ timeoutMs, delays }: ToolLimits, summary: string) {
  return {
    scheduleToCloseTimeout: timeoutMs + COUNT_MARGIN_MS,
    retry: retryPolicy(delays ?? RETRY_DELAYS),
    summary,
  };
}

/**
 * A call that may run twice times out soon after its worker was lost, and runs again. A call that may not run twice has
 * a heartbeat timeout as long as its whole time: its worker may still report the outcome, even when heartbeats do not
 * reach the server for a while. Heartbeats are still sent, because a cancellation arrives by them.
 */
function activities(
  call: ToolCall,
  limits: ToolLimits,
  following: readonly NamedCall[] = [],
): Pick<ToolActivities, 'runTool'> {
  const options = buildToolOptions(limits, summariseCalls([call, ...following.map((next) => next.call)]));
  return isInlineCall(call)
    ? proxyLocalActivities<ToolActivities>(options)
    : proxyActivities<ToolActivities>({
        ...options,
        ...inQueue(queueOfCall(call)),
        scheduleToStartTimeout: limits.timeoutMs,
        heartbeatTimeout: mayRunTwice(call) ? HEARTBEAT_TIMEOUT_MS : options.scheduleToCloseTimeout,
      });
}

/**
 * Runs one tool call.
 * @param step the call's name within the run
 * @param following calls that may run in the activity of an inline call, after it
 * @throws ApplicationFailure as `toToolFailure` makes it; the cancellation when the run is cancelled
 */
export async function runToolStep(
  call: ToolCall,
  step: string,
  runLimits: ToolLimits,
  following?: FollowingCalls,
): Promise<LeadingResult> {
  const started = Date.now();
  const limits = limitsOfCall(call, runLimits);
  if (isExternal(call)) return runExternalStep(call, step, limits);
  const isInline = isInlineCall(call);
  let result: LeadingResult;
  try {
    const deadline = started + limits.timeoutMs;
    // The step comes first, so that a log reads it without the arguments, which may be long.
    const input = { step, ...call, limits, deadline, following };
    const run = (): Promise<LeadingResult> => activities(call, limits, following?.calls).runTool(input);
    result = await (isInline ? startUncancelled(run) : run());
  } catch (error) {
    throw await countAndConvert(error, { call, step }, limits, started);
  }
  // The call was made and counted, and nothing may follow it.
  if (isInline) throwIfCancelled();
  return result;
}

/**
 * Runs calls at once, each named by its number from 1, and one that has to be approved once it is. Inline calls share one local activity, because the cost of an
 * activity is several times that of a calculation.
 * @param reused the results of calls that are not made, by their numbers
 */
export function settleToolSteps(
  calls: readonly ToolCall[],
  limits: ToolLimits,
  approvals: Approvals,
  reused: ExecuteToolsInput['reused'] = {},
): Promise<PromiseSettledResult<ToolStepResult>[]> {
  const named = calls.map((call, index) => ({ call, step: String(index + 1) }));
  const inline = named.filter(
    ({ call, step }) => reused[step] === undefined && isInlineCall(call) && !approvals.isNeeded(call),
  );
  const shared = inline.length > 1 ? runInlineSteps(inline, limits) : undefined;
  const budget = new ByteBudget();
  for (const { output } of Object.values(reused)) budget.hold(jsonLength(output));
  const alone = ({ call, step }: NamedCall): Promise<ToolStepResult> => {
    const length = jsonLength(call);
    const run = (): Promise<ToolStepResult> => runToolStep(call, step, limits);
    return budget.call(
      () => ({ length }),
      () => ({ length, isInline: isInlineCall(call), run }),
      ({ output }) => output,
    );
  };
  const given = (step: string): Promise<ToolStepResult> | undefined =>
    reused[step] && Promise.resolve(reused[step]);
  // A call that waits for a person must not hold a part of the budget, which other calls need.
  const approved = async ({ call, step }: NamedCall): Promise<ToolStepResult> =>
    alone({ call: await approvals.ask(call, step), step });
  return Promise.allSettled(
    named.map(
      (one) =>
        given(one.step) ??
        shared?.get(one.step) ??
        (approvals.isNeeded(one.call) ? approved(one) : alone(one)),
    ),
  );
}

function runInlineSteps(
  inline: readonly NamedCall[],
  limits: ToolLimits,
): Map<string, Promise<ToolStepResult>> {
  const started = Date.now();
  const { runLightTools } = proxyLocalActivities<ToolActivities>(
    buildToolOptions(limits, summariseCalls(inline.map(({ call }) => call))),
  );
  const deadline = started + limits.timeoutMs;
  const all = runLightTools(inline.map(({ call, step }) => ({ ...call, step, limits, deadline })));
  const one = async (named: NamedCall, index: number): Promise<ToolStepResult> => {
    try {
      return resultOf((await all)[index] ?? NO_OUTCOME);
    } catch (error) {
      throw await countAndConvert(error, named, limits, started);
    }
  };
  return new Map(inline.map((named, index) => [named.step, one(named, index)]));
}

/**
 * Reads the outcome of a call that shared an activity with others.
 * @throws ApplicationFailure that an activity of this call alone would have failed with
 */
export function resultOf(settled: SettledToolStep): ToolStepResult {
  if (settled.succeeded) return settled.result;
  const { code, message, details } = settled;
  throw ApplicationFailure.create({ type: code, message, nonRetryable: true, details: [details] });
}

/**
 * Makes sure that a failed call is counted.
 * @returns the failure for the run, as `toToolFailure` builds it, or a cancellation
 */
async function countAndConvert(
  error: unknown,
  { call, step }: NamedCall,
  limits: ToolLimits,
  started: number,
): Promise<unknown> {
  const cause = causeOf(error);
  if (mayBeUncounted(cause)) {
    const { toolName } = call;
    const outcome = { toolName, step, success: false, executionTime: Date.now() - started };
    await countCall(outcome, `count ${toolName} as failed`);
  }
  return isCancellation(error) ? error : toToolFailure(cause, call, limits);
}

/**
 * An activity that ran to its end has counted its outcome. One that timed out, was cancelled or expected another
 * attempt may not have. Counting twice does no harm, since counts are keyed by run and step.
 */
function mayBeUncounted(cause: unknown): boolean {
  if (cause instanceof ApplicationFailure) return cause.nonRetryable !== true;
  return cause instanceof TimeoutFailure || isCancellation(cause);
}
