import { ApplicationFailure } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import type { PlannerLoopInput, PlannerLoopResult } from '../src/contracts/runs/workflows';
import { buildResult, runPlannerLoop } from './planner/planner-loop';
import { PlannedToolFailure, Transcript } from './planner/transcript';
import { Approvals } from './steps/approvals';
import { createFailure } from './steps/failures';
import { generateStep } from './steps/model-step';
import { BudgetFinish, RunBudget } from './steps/run-budget';

const FINISH_NOW =
  'No more tools can be called. Answer the user now from the results above, and say what is missing.';
const SAY_SOMETHING = 'Your answer was empty. Say in one sentence what the results above are.';
const SAID_NOTHING = 'The tools have run, but the model said nothing about their results.';

/**
 * Chooses tools for a sentence and runs them until its goal is reached. The workflow has two types, because each of its
 * two endpoints has its own, and they differ only in the failure of a run whose planner cannot resolve that of a tool.
 */
export async function plannedQuery(input: PlannerLoopInput): Promise<PlannerLoopResult> {
  const started = Date.now();
  try {
    return await runWithinBudget(input, started);
  } catch (error) {
    throw error instanceof PlannedToolFailure ? toRunFailure(error, started) : error;
  }
}

/** Builds the failure of a run: of `queryWorkflow` that of its step, of `mcpExecution` that of the tool itself. */
function toRunFailure(
  { failure, details, stepNumber }: PlannedToolFailure,
  started: number,
): ApplicationFailure {
  const { workflowId, firstExecutionRunId: traceId, workflowType } = workflowInfo();
  if (workflowType !== 'queryWorkflow') {
    const more = { ...details, workflowId, traceId };
    return createFailure(failure.type ?? 'INTERNAL', failure.message, more, failure);
  }
  const { toolName: failedStep, args, completed } = details;
  const executionTime = Date.now() - started;
  const where = { workflowId, failedStep, stepNumber, executionTime, traceId };
  return createFailure(
    'WORKFLOW_EXECUTION_FAILED',
    `Step ${stepNumber} (${failedStep}) failed: ${failure.message}`,
    { ...where, code: failure.type, args, completed },
    failure,
  );
}

/**
 * Runs a planner loop within its budget. If that is used up and the run has to finish, the run asks the model once more,
 * without tools, to answer from what is there.
 * @throws as `runPlannerLoop` does, except BudgetFinish
 */
async function runWithinBudget(input: PlannerLoopInput, started: number): Promise<PlannerLoopResult> {
  const transcript = new Transcript(input.query);
  const budget = new RunBudget(input.budget, new Approvals(input.approval));
  try {
    const result = await runPlannerLoop(input, { transcript, budget });
    const answer = await untilSaid(result, input, transcript, budget);
    return { ...result, answer, llmUsage: transcript.usage, usage: budget.usage };
  } catch (error) {
    if (!(error instanceof BudgetFinish)) throw error;
    const stopped = { code: 'BUDGET_EXHAUSTED', error: error.message };
    const { content = '', problem } = await askForLastAnswer(input, transcript, budget);
    if (problem !== undefined) stopped.error += `, and the model gave no last answer: ${problem}`;
    const last = { ...input.choice, content };
    const end = { stopped, answer: content, iterations: transcript.plans, started };
    const result = buildResult(transcript, last, end);
    return { ...result, usage: budget.usage, exceeded: error.limit };
  }
}

/**
 * Returns the answer of a loop. A model that ends its work without a word is asked once more.
 * @throws the run's cancellation
 */
async function untilSaid(
  { success, answer, executionOrder }: PlannerLoopResult,
  { choice, modelLimits }: PlannerLoopInput,
  transcript: Transcript,
  budget: RunBudget,
): Promise<string> {
  const isEmpty = success && answer.trim() === '' && executionOrder.length > 0;
  if (!isEmpty || choice.provider === 'builtin') return answer;
  const messages = [...transcript.messagesAfterSilence, { role: 'user' as const, content: SAY_SOMETHING }];
  try {
    const { content, usage } = await budget.callModel(
      choice,
      (allowance) =>
        generateStep({ choice, limits: budget.fit(modelLimits), messages, allowance }, 'say something'),
      (answer) => answer.usage,
    );
    transcript.noteUsage(usage);
    return content.trim() === '' ? SAID_NOTHING : content;
  } catch (error) {
    // The work is done, so a budget or a model that has no words for it does not fail the run.
    if (error instanceof BudgetFinish || error instanceof ApplicationFailure) return SAID_NOTHING;
    throw error;
  }
}

/** Asks the model for its last answer. The built-in rules have none, since they read one sentence at a time. */
async function askForLastAnswer(
  { choice, modelLimits: limits }: PlannerLoopInput,
  transcript: Transcript,
  budget: RunBudget,
): Promise<{ readonly content?: string; readonly problem?: string }> {
  if (choice.provider === 'builtin') return {};
  const messages = [...transcript.messages, { role: 'user' as const, content: FINISH_NOW }];
  try {
    const { content, usage } = await budget.finish(
      choice,
      (allowance) => generateStep({ choice, limits, messages, allowance }, 'finish'),
      (answer) => answer.usage,
    );
    transcript.noteUsage(usage);
    return { content };
  } catch (error) {
    // What the tools returned is worth more than the words that the model could not add.
    if (error instanceof ApplicationFailure) return { problem: error.message };
    throw error;
  }
}
