import { ApplicationFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import { wordsOfCaller } from '../../src/contracts/caller-instructions';
import { fitDetail } from '../../src/contracts/json';
import { RepeatedCalls } from '../../src/contracts/runs/repeated-calls';
import { NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { Plan, PlannerLoopInput, PlannerLoopResult } from '../../src/contracts/runs/workflows';
import { createFailure } from '../steps/failures';
import { type ModelCall, planStep } from '../steps/model-step';
import { showProgress } from '../steps/progress';
import { RunTooLargeError } from '../steps/result-allowance';
import type { RunBudget } from '../steps/run-budget';
import type { CalledTurns } from './called-turns';
import { CallerCalls } from './caller-calls';
import { runCalls, type Stop } from './run-calls';
import type { Transcript } from './transcript';
import { denyUnnamedTargets } from './unnamed-targets';

/** What the run of a loop keeps besides. */
export interface PlannerLoopOptions {
  /** Records the calls and their results, so that the caller has them even if the loop throws. */
  readonly transcript: Transcript;
  /** What the whole run may use, and its approvals. */
  readonly budget: RunBudget;
  /** The agents that calls may ask; absent: none. */
  readonly calledTurns?: CalledTurns | undefined;
}

/**
 * Lets a planner choose tools, runs them in order and feeds the results back, until the planner asks for no more calls,
 * is stuck in a circle of equal calls, or `maxIterations` iterations are over. A failure of a tool is fed back too, up to `maxReplans` times. A denied call,
 * or one without an answer by its deadline, ends the run if its policy says so. Plans of another run come first, as they were made
 * there, and are no iterations of this one.
 * @throws PlannedToolFailure; ApplicationFailure if the planner itself fails, or `BUDGET_EXHAUSTED`; BudgetFinish, with
 * the work so far in the transcript; the run's cancellation
 */
export async function runPlannerLoop(
  input: PlannerLoopInput,
  { transcript, budget, calledTurns }: PlannerLoopOptions,
): Promise<PlannerLoopResult> {
  const started = Date.now();
  const { choice, modelLimits: limits, maxIterations } = input;
  const progress = showProgress();
  const callerCalls = new CallerCalls(input.callerTools, budget.approvals);
  const targets =
    input.allow === undefined ? undefined : denyUnnamedTargets(wordsOfCaller(input), input.allow);
  const context = {
    ...input,
    targets,
    transcript,
    repeats: new RepeatedCalls(),
    budget,
    progress,
    calledTurns,
    callerCalls,
  };
  for (const reused of input.reused?.plans ?? []) {
    const plan = { ...reused, usage: NO_USAGE };
    noteAnswer(transcript, plan, 0);
    const stopped = await runCalls(plan.calls, context);
    if (stopped !== undefined)
      return buildResult(transcript, plan, { stopped, iterations: transcript.plans, started });
  }
  const plansBefore = transcript.plans;
  for (let iteration = 0; ; iteration += 1) {
    const askedAt = Date.now() - budget.approvals.waitedMs;
    const call = {
      choice,
      limits,
      messages: transcript.messages,
      tools: input.tools,
      mayPause: input.approval === undefined ? undefined : true,
      agents: input.agents,
      callerTools: input.callerTools,
      mustCall: transcript.plans === 0 ? input.mustCall : undefined,
    };
    const plan = await planNext(transcript, call, budget);
    noteAnswer(transcript, plan, Date.now() - budget.approvals.waitedMs - askedAt);
    const isDone = plan.calls.length === 0;
    if (isDone && transcript.lastFailure !== undefined) throw transcript.lastFailure;
    if (isDone || iteration === maxIterations) {
      const end = isDone ? { answer: plan.content } : { stopped: stoppedAfter(maxIterations, plan) };
      return buildResult(transcript, plan, { ...end, iterations: plansBefore + iteration, started });
    }
    const stopped = await runCalls(plan.calls, context);
    if (stopped !== undefined)
      return buildResult(transcript, plan, { stopped, iterations: plansBefore + iteration + 1, started });
  }
}

/**
 * Asks the planner for the next calls. If it fails, the failure's details list the calls before, which no result
 * will.
 */
async function planNext(
  { calls, order, results, files }: Transcript,
  call: ModelCall,
  budget: RunBudget,
): Promise<Plan> {
  try {
    return await budget.callModel(
      call.choice,
      (allowance) => planStep({ ...call, limits: budget.fit(call.limits), allowance }, { files }),
      ({ usage }) => usage,
    );
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || calls === 0) throw error;
    const completed = fitDetail({ executionOrder: order, allResults: results });
    const details: object = error.details?.[0] ?? {};
    throw createFailure(error.type ?? 'INTERNAL', error.message, { ...details, completed }, error);
  }
}

/** @throws ApplicationFailure if the model's texts are longer together than a run may keep */
function noteAnswer(transcript: Transcript, plan: Plan, time: number): void {
  try {
    transcript.noteAnswer(plan, time);
  } catch (error) {
    throw error instanceof RunTooLargeError ? error.failure : error;
  }
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
    // If no tool was needed, the planner's answer is the result.
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
