import { ApplicationFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import { allowsTool, NOTHING_ALLOWED, type AllowedTargets } from '../../src/contracts/allowed-targets';
import { fitDetail } from '../../src/contracts/json';
import { waitsWhenPlanned } from '../../src/contracts/runs/approval-needs';
import { summariseCall } from '../../src/contracts/runs/summaries';
import type { ToolCall } from '../../src/contracts/runs/tools';
import type {
  Plan,
  PlannedCall,
  PlannerLoopError,
  PlannerLoopInput,
  PlannerLoopResult,
} from '../../src/contracts/runs/workflows';
import { type ModelCall, planStep } from '../steps/model-step';
import { PlannedToolFailure, type Transcript } from './transcript';
import { type Progress, showProgress } from '../steps/progress';
import { denyUnnamedTargets, type TargetPolicy } from './unnamed-targets';
import { RunTooLargeError } from '../steps/result-allowance';
import { createFailure, toolFailureOf } from '../steps/failures';
import { endsRun, isDenial } from '../steps/approvals';
import { BudgetFinish, isExhausted, type RunBudget } from '../steps/run-budget';
import { runToolStep } from '../steps/tool-step';

const BUDGET_USED_UP = 'the budget of the run is used up';

/** What the run of a loop keeps besides. */
export interface PlannerLoopOptions {
  /** Records the calls and their results, so that the caller has them even where the loop throws. */
  readonly transcript: Transcript;
  /** What the whole run may use, and its approvals. */
  readonly budget: RunBudget;
}

/**
 * Lets a planner choose tools, runs them in order and feeds the results back, until the planner asks for no more calls
 * or `maxIterations` iterations are over. A failure of a tool is fed back too, up to `maxReplans` times. A denied call,
 * or one without an answer by its deadline, ends the run where its policy says so.
 * @throws PlannedToolFailure; ApplicationFailure where the planner itself fails, or `BUDGET_EXHAUSTED`; BudgetFinish, with
 * the work so far in the transcript; the run's cancellation
 */
export async function runPlannerLoop(
  input: PlannerLoopInput,
  { transcript, budget }: PlannerLoopOptions,
): Promise<PlannerLoopResult> {
  const started = Date.now();
  const { choice, modelLimits: limits, maxIterations } = input;
  const progress = showProgress();
  const targets = input.allow === undefined ? undefined : denyUnnamedTargets(input.query, input.allow);
  for (let iteration = 0; ; iteration += 1) {
    const asked = Date.now() - budget.approvals.waitedMs;
    const call = {
      choice,
      limits,
      messages: transcript.messages,
      ...(input.approval === undefined ? {} : { mayPause: true }),
    };
    const plan = await planNext(transcript, call, budget);
    noteAnswer(transcript, plan, Date.now() - budget.approvals.waitedMs - asked);
    const isDone = plan.calls.length === 0;
    if (isDone && transcript.lastFailure !== undefined) throw transcript.lastFailure;
    if (isDone || iteration === maxIterations) {
      const end = isDone ? { answer: plan.content } : { stopped: stoppedAfter(maxIterations, plan) };
      return buildResult(transcript, plan, { ...end, iterations: iteration, started });
    }
    await runCalls(plan.calls, transcript, { ...input, targets }, budget, progress);
  }
}

/**
 * Asks the planner for the next calls. Where it fails, the failure's details list the calls before, which no result
 * will.
 */
async function planNext(
  { calls, order, results }: Transcript,
  call: ModelCall,
  budget: RunBudget,
): Promise<Plan> {
  try {
    return await budget.callModel(
      call.choice,
      (allowance) => planStep({ ...call, limits: budget.fit(call.limits), allowance }),
      ({ usage }) => usage,
    );
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || calls === 0) throw error;
    const completed = fitDetail({ executionOrder: order, allResults: results });
    const details: object = error.details?.[0] ?? {};
    throw createFailure(error.type ?? 'INTERNAL', error.message, { ...details, completed }, error);
  }
}

/** @throws ApplicationFailure where the model's texts are longer together than a run may keep */
function noteAnswer(transcript: Transcript, plan: Plan, time: number): void {
  try {
    transcript.noteAnswer(plan, time);
  } catch (error) {
    throw error instanceof RunTooLargeError ? error.failure : error;
  }
}

/**
 * Runs calls in order. After a failure the remaining calls are skipped, since they may depend on the one that failed.
 */
async function runCalls(
  calls: readonly PlannedCall[],
  transcript: Transcript,
  {
    toolLimits,
    maxReplans,
    approval,
    allow = NOTHING_ALLOWED,
    targets,
  }: PlannerLoopInput & { readonly targets: TargetPolicy | undefined },
  budget: RunBudget,
  progress: Progress,
): Promise<void> {
  const { approvals } = budget;
  const limits = targets?.boundRedirects(toolLimits) ?? toolLimits;
  const first = transcript.calls + 1;
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
  for (const { planned, number, step, what } of steps) {
    const { id, call } = planned;
    transcript.calls = number;
    if (failure !== undefined || finish !== undefined) {
      progress.note({ step, what, state: 'skipped' });
      transcript.noteUnrun(id, failure === undefined ? BUDGET_USED_UP : 'a call before it failed');
      continue;
    }
    progress.note({ step, what, state: 'running' });
    let made = planned;
    let started = Date.now();
    try {
      const denial = targets?.reasonToDeny(call);
      if (denial !== undefined) throw deniedCall(call, denial);
      await budget.beforeToolCall();
      if (approvals.isNeeded(call) || isRemoteAndUnallowed(call, allow)) {
        made = { id, call: await approvals.ask(call, step) };
        started = Date.now();
        if (made.call !== call) transcript.noteApproved(made);
        const deniedNow = made.call === call ? undefined : targets?.reasonToDeny(made.call);
        if (deniedNow !== undefined) throw deniedCall(made.call, deniedNow);
      }
      const { output, executionTime } = await budget.callTool(limits, (fitted) =>
        runToolStep(made.call, step, fitted),
      );
      transcript.noteResult(made, output, executionTime);
      progress.note({ step, what, state: 'completed' });
    } catch (error) {
      progress.note({ step, what, state: 'failed' });
      if (error instanceof RunTooLargeError) throw error.failure;
      if (endsRun(error, approval) || isExhausted(error)) throw error;
      if (error instanceof BudgetFinish) {
        finish = error;
        transcript.noteUnrun(id, BUDGET_USED_UP);
        continue;
      }
      failure = toPlannedFailure(error, transcript);
      transcript.noteFailure(made, failure, isDenial(error) ? 0 : Date.now() - started);
    }
  }
  if (finish !== undefined) throw finish;
  if (failure !== undefined && transcript.errors.length > maxReplans) throw failure;
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

/** Why a loop ended before its planner said that the goal is reached. */
interface Stop extends Pick<PlannerLoopError, 'code' | 'error'> {
  /** The tool that would have been called next. */
  readonly toolName?: string | undefined;
}

interface LoopEnd {
  readonly stopped?: Stop;
  /** What the model says to the user; absent: nothing. */
  readonly answer?: string;
  /** How many plans asked for tools that were run. */
  readonly iterations: number;
  readonly started: number;
}

function stoppedAfter(maxIterations: number, { calls }: Plan): Stop {
  const error = `Stopped after ${maxIterations} iterations (maxIterations) with work left`;
  return { code: 'ITERATION_LIMIT', error, toolName: calls[0]?.call.toolName };
}

/** Builds the result of a loop. @param last what the model said last */
export function buildResult(
  transcript: Transcript,
  { content, provider, model }: Pick<Plan, 'content' | 'provider' | 'model'>,
  { stopped, answer = '', iterations, started }: LoopEnd,
): PlannerLoopResult {
  const { order, results, errors, usage, last } = transcript;
  const problem = stopped && { stepNumber: transcript.calls + 1, toolName: '', ...stopped };
  return {
    success: stopped === undefined,
    // Where no tool was needed, the planner's answer is the result.
    finalResult: order.length > 0 ? last : content || null,
    allResults: results,
    executionOrder: order,
    errors: problem === undefined ? errors : [...errors, problem],
    executionTime: Date.now() - started,
    traceId: workflowInfo().firstExecutionRunId,
    workflowId: workflowInfo().workflowId,
    answer,
    iterations,
    llmUsage: usage,
    provider,
    model,
  };
}
