import { ApplicationFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import { fitDetail } from '../../src/contracts/json';
import { summariseCall } from '../../src/contracts/runs/summaries';
import type { ToolCall } from '../../src/contracts/runs/tools';
import type {
  Plan,
  PlannedCall,
  PlannerLoopError,
  PlannerLoopInput,
  PlannerLoopResult,
} from '../../src/contracts/runs/workflows';
import type { ModelCall } from '../steps/model-step';
import { planStep } from '../steps/model-step';
import { Transcript, PlannedToolFailure } from './transcript';
import type { Progress } from '../steps/progress';
import { showProgress } from '../steps/progress';
import type { TargetPolicy } from './unnamed-targets';
import { denyUnnamedTargets } from './unnamed-targets';
import { RunTooLargeError } from '../steps/result-allowance';
import { createFailure, toolFailureOf } from '../steps/failures';
import { Approvals, endsRun } from '../steps/approvals';
import { runToolStep } from '../steps/tool-step';

/** What a turn of the agent passes to the loop; other runs need none of it. */
export interface PlannerLoopOptions {
  /** Records the calls and their results, so that the caller has them even where the loop throws. */
  readonly transcript?: Transcript;
  /** The user's own words, where the query differs from them. */
  readonly said?: string;
}

/**
 * Lets a planner choose tools, runs them in order and feeds the results back, until the planner asks for no more calls
 * or `maxIterations` iterations are over. A failure of a tool is fed back too, up to `maxReplans` times. A denied call,
 * or one without an answer by its deadline, ends the run where its policy says so.
 * @throws PlannedToolFailure; ApplicationFailure where the planner itself fails; the run's cancellation
 */
export async function runPlannerLoop(
  input: PlannerLoopInput,
  { transcript = new Transcript(input.query), said = input.query }: PlannerLoopOptions = {},
): Promise<PlannerLoopResult> {
  const started = Date.now();
  const { choice, modelLimits: limits, maxIterations } = input;
  const progress = showProgress();
  const approvals = new Approvals(input.approval);
  const targets = input.allow === undefined ? undefined : denyUnnamedTargets(said, input.allow);
  for (let iteration = 0; ; iteration += 1) {
    const asked = Date.now();
    const plan = await planNext(transcript, {
      choice,
      limits,
      messages: transcript.messages,
      ...(input.approval === undefined ? {} : { mayPause: true }),
    });
    transcript.noteAnswer(plan, Date.now() - asked);
    const isDone = plan.calls.length === 0;
    if (isDone && transcript.lastFailure !== undefined) throw transcript.lastFailure;
    if (isDone || iteration === maxIterations) {
      return buildResult(transcript, plan, { isDone, iterations: iteration, started, maxIterations });
    }
    await runCalls(plan.calls, transcript, { ...input, targets }, approvals, progress);
  }
}

/**
 * Asks the planner for the next calls. Where it fails, the failure's details list the calls before, which no result
 * will.
 */
async function planNext({ calls, order, results }: Transcript, call: ModelCall): Promise<Plan> {
  try {
    return await planStep(call);
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || calls === 0) throw error;
    const completed = fitDetail({ executionOrder: order, allResults: results });
    const details: object = error.details?.[0] ?? {};
    throw createFailure(error.type ?? 'INTERNAL', error.message, { ...details, completed }, error);
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
    targets,
  }: PlannerLoopInput & { readonly targets: TargetPolicy | undefined },
  approvals: Approvals,
  progress: Progress,
): Promise<void> {
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
  for (const { planned, number, step, what } of steps) {
    const { id, call } = planned;
    transcript.calls = number;
    if (failure !== undefined) {
      progress.note({ step, what, state: 'skipped' });
      transcript.noteUnrun(id);
      continue;
    }
    progress.note({ step, what, state: 'running' });
    const started = Date.now();
    try {
      const denial = targets?.reasonToDeny(call);
      if (denial !== undefined) throw deniedCall(call, denial);
      const approved = approvals.isNeeded(call) ? await approvals.ask(call, step) : call;
      const deniedNow = approved === call ? undefined : targets?.reasonToDeny(approved);
      if (deniedNow !== undefined) throw deniedCall(approved, deniedNow);
      const { output, executionTime } = await runToolStep(approved, step, limits);
      transcript.noteResult({ id, call: approved }, output, executionTime);
      progress.note({ step, what, state: 'completed' });
    } catch (error) {
      progress.note({ step, what, state: 'failed' });
      if (error instanceof RunTooLargeError) throw error.failure;
      if (endsRun(error, approval)) throw error;
      failure = toPlannedFailure(error, transcript);
      transcript.noteFailure(planned, failure, Date.now() - started);
    }
  }
  if (failure !== undefined && transcript.errors.length > maxReplans) throw failure;
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

interface LoopEnd {
  /** False where `maxIterations` ended the loop with calls left. */
  readonly isDone: boolean;
  readonly iterations: number;
  readonly maxIterations: number;
  readonly started: number;
}

function buildResult(
  transcript: Transcript,
  { content, provider, model, calls }: Plan,
  { isDone, iterations, maxIterations, started }: LoopEnd,
): PlannerLoopResult {
  const { order, results, errors, usage, last } = transcript;
  const stopped: PlannerLoopError = {
    stepNumber: transcript.calls + 1,
    toolName: calls[0]?.call.toolName ?? '',
    code: 'ITERATION_LIMIT',
    error: `Stopped after ${maxIterations} iterations (maxIterations) with work left`,
  };
  return {
    success: isDone,
    // Where no tool was needed, the planner's answer is the result.
    finalResult: order.length > 0 ? last : content || null,
    allResults: results,
    executionOrder: order,
    errors: isDone ? errors : [...errors, stopped],
    executionTime: Date.now() - started,
    traceId: workflowInfo().firstExecutionRunId,
    workflowId: workflowInfo().workflowId,
    answer: isDone ? content : '',
    iterations,
    llmUsage: usage,
    provider,
    model,
  };
}
