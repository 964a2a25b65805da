import type { ApplicationFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import { fitDetail } from '../src/contracts/json';
import type { ChatMessage, TokenUsage } from '../src/contracts/llm';
import type { ToolFailureDetails } from '../src/contracts/runs';
import { summariseCall } from '../src/contracts/summaries';
import type {
  Plan,
  PlannedCall,
  PlannedRunError,
  PlannedRunInput,
  PlannedRunResult,
} from '../src/contracts/workflow-runs';
import { planStep } from './model-step';
import type { Progress } from './progress';
import { showProgress } from './progress';
import { toolFailureOf } from './tool-failures';
import { runToolStep } from './tool-step';

const INSTRUCTIONS =
  'You reach the goal of the user by calling the tools that are offered. Call a tool whenever it can give what is ' +
  'asked for; never make up its result. Use results of earlier calls as arguments of later ones. When a call fails, ' +
  'try another way once. When the goal is reached, say so in one sentence without calling anything.';

/** A tool failed, and there was no way around it. */
export class PlannedToolFailure extends Error {
  override readonly name = 'PlannedToolFailure';
  constructor(
    readonly failure: ApplicationFailure,
    /** Which tool call, from 1. */
    readonly stepNumber: number,
    readonly details: ToolFailureDetails,
  ) {
    super(failure.message);
  }
}

/** What a planned run has come to so far. */
class Conversation {
  readonly messages: ChatMessage[];
  readonly order: string[] = [];
  readonly results: Record<string, unknown> = {};
  readonly errors: PlannedRunError[] = [];
  usage: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  last: unknown = null;
  /** Number of the latest tool call, from 1, those included that were planned and then left. */
  calls = 0;
  lastFailure: PlannedToolFailure | undefined;

  constructor(query: string) {
    this.messages = [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: query },
    ];
  }

  noteAnswer({ content, calls, usage }: Plan): void {
    this.usage = {
      promptTokens: this.usage.promptTokens + usage.promptTokens,
      completionTokens: this.usage.completionTokens + usage.completionTokens,
      totalTokens: this.usage.totalTokens + usage.totalTokens,
    };
    const toolRequests = calls.map(({ id, call }) => ({ id, toolName: call.toolName, args: call.args }));
    this.messages.push({ role: 'assistant', content, ...(calls.length > 0 ? { toolRequests } : {}) });
  }

  noteResult({ id, call: { toolName } }: PlannedCall, output: unknown): void {
    this.order.push(toolName);
    this.results[freeName(this.results, toolName)] = output;
    this.last = output;
    this.lastFailure = undefined;
    this.messages.push({ role: 'tool', requestId: id, content: output });
  }

  noteFailure({ id, call: { toolName } }: PlannedCall, planned: PlannedToolFailure): void {
    const { stepNumber, failure, message } = planned;
    this.lastFailure = planned;
    this.errors.push({ stepNumber, toolName, code: failure.type ?? 'INTERNAL', error: message });
    this.messages.push({ role: 'tool', requestId: id, content: message, failed: true });
  }

  /** Every call has to be answered, also one that was not made. */
  noteUnrun(requestId: string): void {
    const content = 'Not run, because a call before it failed';
    this.messages.push({ role: 'tool', requestId, content, failed: true });
  }
}

/** A tool that runs again is kept as `name_2`, `name_3`, …: no result hides another. */
function freeName(taken: Readonly<Record<string, unknown>>, toolName: string): string {
  let name = toolName;
  for (let n = 2; Object.hasOwn(taken, name); n += 1) name = `${toolName}_${n}`;
  return name;
}

/**
 * Lets a planner choose tools and runs them in order, feeding results back, until it has no more to run or
 * `maxIterations` turns are over. A tool's failure goes back to the planner too, `maxReplans` times.
 * @throws PlannedToolFailure; ApplicationFailure where the planner itself fails; the run's cancellation
 */
export async function runPlanned(input: PlannedRunInput): Promise<PlannedRunResult> {
  const started = Date.now();
  const { choice, modelLimits: limits, maxIterations } = input;
  const progress = showProgress();
  const conversation = new Conversation(input.query);
  for (let iteration = 0; ; iteration += 1) {
    const plan = await planStep({ choice, limits, messages: conversation.messages });
    conversation.noteAnswer(plan);
    const isDone = plan.calls.length === 0;
    if (isDone && conversation.lastFailure !== undefined) throw conversation.lastFailure;
    if (isDone || iteration === maxIterations) {
      return resultOf(conversation, plan, { isDone, iterations: iteration, started, maxIterations });
    }
    await runCalls(plan.calls, conversation, input, progress);
  }
}

/** In order; after a failure the rest of the turn is left, since it may have counted on what failed. */
async function runCalls(
  calls: readonly PlannedCall[],
  conversation: Conversation,
  { toolLimits, maxReplans }: PlannedRunInput,
  progress: Progress,
): Promise<void> {
  const first = conversation.calls + 1;
  const steps = calls.map((planned, index) => ({
    planned,
    number: first + index,
    step: String(first + index),
    what: summariseCall(planned.call),
  }));
  for (const { step, what } of steps) progress.note({ step, what, state: 'waiting' });
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
    try {
      const { output } = await runToolStep(call, step, toolLimits);
      conversation.noteResult(planned, output);
      progress.note({ step, what, state: 'completed' });
    } catch (error) {
      progress.note({ step, what, state: 'failed' });
      failure = asPlannedFailure(error, conversation);
      conversation.noteFailure(planned, failure);
    }
  }
  if (failure !== undefined && conversation.errors.length > maxReplans) throw failure;
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
