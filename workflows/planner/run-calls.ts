import { limitsOfCall } from '../../src/contracts/runs/calls';
import type { ApplicationFailure } from '@temporalio/common';
import { allowsTool, NOTHING_ALLOWED, type AllowedTargets } from '../../src/contracts/allowed-targets';
import { fitDetail } from '../../src/contracts/json';
import { waitsWhenPlanned } from '../../src/contracts/runs/approval-needs';
import { MAX_REPEATS, type RepeatedCalls } from '../../src/contracts/runs/repeated-calls';
import { summariseCall } from '../../src/contracts/runs/summaries';
import type { ToolCall } from '../../src/contracts/runs/tools';
import type { PlannedCall, PlannerLoopError, PlannerLoopInput } from '../../src/contracts/runs/workflows';
import { endsRun, isDenial } from '../steps/approvals';
import { createFailure, toolFailureOf } from '../steps/failures';
import type { Progress } from '../steps/progress';
import { RunTooLargeError } from '../steps/result-allowance';
import { BudgetFinish, isExhausted, type RunBudget } from '../steps/run-budget';
import { runToolStep } from '../steps/tool-step';
import type { CalledTurns } from './called-turns';
import type { CallerCalls } from './caller-calls';
import { takeOutcome } from './reused-calls';
import { PlannedToolFailure, type Transcript } from './transcript';
import type { TargetPolicy } from './unnamed-targets';

const BUDGET_USED_UP = 'the budget of the run is used up';
const FAILED_BEFORE = 'a call before it failed';
const STUCK = 'the planner repeats itself';
const NOT_MADE_BEFORE = 'the run that this one repeats did not make it';

/** Why a planner is stopped that has not said that its goal is reached. */
export type Stop = Pick<PlannerLoopError, 'code' | 'error'> & Partial<PlannerLoopError>;

/** The loop whose calls are run. */
export interface CallsContext extends Omit<PlannerLoopInput, 'budget'> {
  readonly targets: TargetPolicy | undefined;
  readonly transcript: Transcript;
  readonly repeats: RepeatedCalls;
  readonly budget: RunBudget;
  readonly progress: Progress;
  /** As in `PlannerLoopOptions`. */
  readonly calledTurns: CalledTurns | undefined;
  readonly callerCalls: CallerCalls;
}

/**
 * Runs the calls of one plan in order. After a failure the remaining calls are skipped, since they may depend on the one that
 * failed. A call that changes something and was made before in the turn is answered by its first outcome. A call of another run
 * that this one repeats has its outcome there.
 * @returns why the planner is stopped; undefined if it may continue
 * @throws as `runPlannerLoop` does
 */
export async function runCalls(
  calls: readonly PlannedCall[],
  context: CallsContext,
): Promise<Stop | undefined> {
  const { transcript, repeats, targets, toolLimits, maxReplans, approval, reused } = context;
  const { allow = NOTHING_ALLOWED, budget, progress, calledTurns, callerCalls } = context;
  const { approvals } = budget;
  const limits = targets?.boundRedirects(toolLimits) ?? toolLimits;
  const first = transcript.calls + 1;
  const firstMade = reused?.firstMade ?? 1;
  const steps = calls.map((planned, index) => ({
    planned,
    number: first + index,
    step: String(first + index),
    what: summariseCall(planned.call),
  }));
  for (const { step, what } of steps) progress.note({ step, what, state: 'waiting' });
  transcript.noteChosen(calls.map(({ call }) => call.toolName));
  let failure: PlannedToolFailure | undefined;
  let finish: BudgetFinish | undefined;
  let stop: Stop | undefined;
  let skipped: string | undefined;
  for (const { planned, number, step, what } of steps) {
    const { id, call } = planned;
    transcript.calls = number;
    if (skipped !== undefined) {
      progress.note({ step, what, state: 'skipped' });
      transcript.noteUnrun(id, skipped);
      continue;
    }
    const known = reused?.outcomes[step];
    const isTaken = number < firstMade;
    const before = known === undefined ? repeats.firstOutcome(call) : undefined;
    if (before !== undefined) {
      progress.note({ step, what, state: 'skipped' });
      noteRepeat(transcript, id, before);
      if (repeats.noteRepeat()) stop = stuck(number, call, 'asked for a call again that was made');
      if (stop !== undefined) skipped = STUCK;
      else if ('error' in before) skipped = FAILED_BEFORE;
      continue;
    }
    progress.note({ step, what, state: 'running' });
    let made = planned;
    let started = Date.now();
    const sending = { isSent: false };
    try {
      if (known !== undefined) {
        const taken = takeOutcome(planned, known);
        made = taken.made;
        sending.isSent = taken.isSent;
        if (made !== planned) transcript.noteApproved(made);
        const { output, executionTime } = taken.result();
        transcript.noteResult(made, output, executionTime);
        repeats.noteResult([call, made.call], output, transcript.plans);
        progress.note({ step, what, state: 'completed' });
        continue;
      }
      const denial = targets?.reasonToDeny(call);
      if (denial !== undefined) throw deniedCall(call, denial);
      if (isTaken) {
        progress.note({ step, what, state: 'skipped' });
        transcript.noteUnrun(id, NOT_MADE_BEFORE);
        continue;
      }
      await budget.beforeToolCall();
      const isOfCaller = callerCalls.has(call.toolName);
      // Who runs a tool decides about its calls.
      if (!isOfCaller && (approvals.isNeeded(call) || isRemoteAndUnallowed(call, allow))) {
        made = { id, call: await approvals.ask(call, step) };
        started = Date.now();
        if (made.call !== call) transcript.noteApproved(made);
        const deniedNow = made.call === call ? undefined : targets?.reasonToDeny(made.call);
        if (deniedNow !== undefined) throw deniedCall(made.call, deniedNow);
      }
      const { output, executionTime } = await budget.callTool(limitsOfCall(made.call, limits), (fitted) => {
        sending.isSent = true;
        if (isOfCaller) return callerCalls.ask(made.call, step);
        const isAgent = calledTurns?.has(made.call.toolName) === true;
        return isAgent ? calledTurns.ask(made.call, step) : runToolStep(made.call, step, fitted);
      });
      transcript.noteResult(made, output, executionTime);
      progress.note({ step, what, state: 'completed' });
      if (repeats.noteResult([call, made.call], output, transcript.plans)) {
        stop = stuck(number, call, 'read the same in a row, with the same result,');
        skipped = STUCK;
      }
    } catch (error) {
      progress.note({ step, what, state: 'failed' });
      if (error instanceof RunTooLargeError) throw error.failure;
      if (endsRun(error, approval) || isExhausted(error)) throw error;
      if (error instanceof BudgetFinish) {
        finish = error;
        skipped = BUDGET_USED_UP;
        transcript.noteUnrun(id, BUDGET_USED_UP);
        continue;
      }
      failure = toPlannedFailure(error, transcript);
      skipped = FAILED_BEFORE;
      if (sending.isSent && failure.details.taskQueue === undefined)
        repeats.noteFailure([call, made.call], failure.message);
      transcript.noteFailure(made, failure, isDenial(error) ? 0 : Date.now() - started);
    }
  }
  if (finish !== undefined) throw finish;
  const failures = transcript.errors.filter(({ stepNumber }) => stepNumber >= firstMade);
  if (failure !== undefined && failures.length > maxReplans) throw failure;
  return stop;
}

/** @throws ApplicationFailure if the results are longer together than a run may keep */
function noteRepeat(transcript: Transcript, ...answer: Parameters<Transcript['noteRepeat']>): void {
  try {
    transcript.noteRepeat(...answer);
  } catch (error) {
    throw error instanceof RunTooLargeError ? error.failure : error;
  }
}

function stuck(stepNumber: number, { toolName }: ToolCall, what: string): Stop {
  const error = `The planner is stuck: it ${what} ${MAX_REPEATS} times, which is not made again (${toolName})`;
  return { stepNumber, toolName, code: 'PLANNER_STUCK', error };
}

/** Whether a call of a remote tool may change something that neither settings nor request allow. */
function isRemoteAndUnallowed(call: ToolCall, allow: AllowedTargets): boolean {
  return waitsWhenPlanned(call) && !allowsTool(allow, call.toolName);
}

function deniedCall({ toolName, args }: ToolCall, reason: string): ApplicationFailure {
  const message = `The call was not made: ${reason}`;
  return createFailure('TOOL_EXECUTION_FAILED', message, { toolName, args: fitDetail(args) });
}

/** @throws any error that is not a tool's failure, such as the run's cancellation */
function toPlannedFailure(error: unknown, { calls, order, results }: Transcript): PlannedToolFailure {
  const known = toolFailureOf(error);
  if (known === undefined) throw error;
  const completed = { executionOrder: order, allResults: results };
  const details = { ...known.details, stepNumber: calls, completed: fitDetail(completed) };
  return new PlannedToolFailure(known.failure, calls, details);
}
