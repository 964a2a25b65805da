import { ApplicationFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import { fitDetail } from '../../src/contracts/json';
import { summariseCall } from '../../src/contracts/runs/summaries';
import type { ToolCall } from '../../src/contracts/runs/tools';
import type {
  Plan,
  PlannedCall,
  PlannedRunError,
  PlannedRunInput,
  PlannedRunResult,
} from '../../src/contracts/runs/workflows';
import type { ModelCall } from '../steps/model-step';
import { planStep } from '../steps/model-step';
import { Conversation, PlannedToolFailure } from './transcript';
import type { Progress } from '../steps/progress';
import { showProgress } from '../steps/progress';
import type { Reach } from './reach';
import { reachOf } from './reach';
import { RunTooLargeError } from '../steps/result-allowance';
import { createFailure, toolFailureOf } from '../steps/failures';
import { runToolStep } from '../steps/tool-step';

/** What a run that is more than its plan adds to it. */
export interface PlannedRunPart {
  /** Keeps what the plan has come to, also where it fails. */
  readonly conversation?: Conversation;
  /** What the user said, where it is not the query. */
  readonly said?: string;
}

/**
 * Lets a planner choose tools and runs them in order, feeding results back, until it has no more to run or
 * `maxIterations` turns are over. A tool's failure goes back to the planner too, `maxReplans` times.
 * @throws PlannedToolFailure; ApplicationFailure where the planner itself fails; the run's cancellation
 */
export async function runPlanned(
  input: PlannedRunInput,
  { conversation = new Conversation(input.query), said = input.query }: PlannedRunPart = {},
): Promise<PlannedRunResult> {
  const started = Date.now();
  const { choice, modelLimits: limits, maxIterations } = input;
  const progress = showProgress();
  const reach = input.allow === undefined ? undefined : reachOf(said, input.allow);
  for (let iteration = 0; ; iteration += 1) {
    const asked = Date.now();
    const plan = await planNext(conversation, { choice, limits, messages: conversation.messages });
    conversation.noteAnswer(plan, Date.now() - asked);
    const isDone = plan.calls.length === 0;
    if (isDone && conversation.lastFailure !== undefined) throw conversation.lastFailure;
    if (isDone || iteration === maxIterations) {
      return resultOf(conversation, plan, { isDone, iterations: iteration, started, maxIterations });
    }
    await runCalls(plan.calls, conversation, { ...input, reach }, progress);
  }
}

/** A planner that fails tells what was done before, which the caller could learn nowhere else. */
async function planNext({ calls, order, results }: Conversation, call: ModelCall): Promise<Plan> {
  try {
    return await planStep(call);
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || calls === 0) throw error;
    const completed = fitDetail({ executionOrder: order, allResults: results });
    const details: object = error.details?.[0] ?? {};
    throw createFailure(error.type ?? 'INTERNAL', error.message, { ...details, completed }, error);
  }
}

/** In order; after a failure the rest of the turn is left, since it may have counted on what failed. */
async function runCalls(
  calls: readonly PlannedCall[],
  conversation: Conversation,
  { toolLimits, maxReplans, reach }: PlannedRunInput & { readonly reach: Reach | undefined },
  progress: Progress,
): Promise<void> {
  const limits = reach?.within(toolLimits) ?? toolLimits;
  const first = conversation.calls + 1;
  const steps = calls.map((planned, index) => ({
    planned,
    number: first + index,
    step: String(first + index),
    what: summariseCall(planned.call),
  }));
  for (const { step, what } of steps) progress.note({ step, what, state: 'waiting' });
  conversation.noteChosen(calls.map(({ call }) => call.toolName));
  let failure: PlannedToolFailure | undefined;
  for (const { planned, number, step, what } of steps) {
    const { id, call } = planned;
    conversation.calls = number;
    if (failure !== undefined) {
      progress.note({ step, what, state: 'skipped' });
      conversation.noteUnrun(id);
      continue;
    }
    progress.note({ step, what, state: 'running' });
    const started = Date.now();
    try {
      const refusal = reach?.refuse(call);
      if (refusal !== undefined) throw refused(call, refusal);
      const { output, executionTime } = await runToolStep(call, step, limits);
      conversation.noteResult(planned, output, executionTime);
      progress.note({ step, what, state: 'completed' });
    } catch (error) {
      progress.note({ step, what, state: 'failed' });
      if (error instanceof RunTooLargeError) throw error.failure;
      failure = asPlannedFailure(error, conversation);
      conversation.noteFailure(planned, failure, Date.now() - started);
    }
  }
  if (failure !== undefined && conversation.errors.length > maxReplans) throw failure;
}

function refused({ toolName, args }: ToolCall, reason: string): ApplicationFailure {
  const message = `The call was not made: ${reason}`;
  return createFailure('TOOL_EXECUTION_FAILED', message, { toolName, args: fitDetail(args) });
}

/** @throws what is no tool's failure: the run's own cancellation */
function asPlannedFailure(error: unknown, { calls, order, results }: Conversation): PlannedToolFailure {
  const known = toolFailureOf(error);
  if (known === undefined) throw error;
  const completed = { executionOrder: order, allResults: results };
  const details = { ...known.details, stepNumber: calls, completed: fitDetail(completed) };
  return new PlannedToolFailure(known.failure, calls, details);
}

interface Ending {
  readonly isDone: boolean;
  readonly iterations: number;
  readonly maxIterations: number;
  readonly started: number;
}

function resultOf(
  conversation: Conversation,
  { content, provider, model, calls }: Plan,
  { isDone, iterations, maxIterations, started }: Ending,
): PlannedRunResult {
  const { order, results, errors, usage, last } = conversation;
  const stopped: PlannedRunError = {
    stepNumber: conversation.calls + 1,
    toolName: calls[0]?.call.toolName ?? '',
    code: 'ITERATION_LIMIT',
    error: `Stopped after ${maxIterations} iterations (maxIterations) with work left`,
  };
  return {
    success: isDone,
    // Where no tool was needed, the planner's own answer is the result.
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
