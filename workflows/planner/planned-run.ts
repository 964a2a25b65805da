import { ApplicationFailure } from '@temporalio/common';
import type { PlannerLoopInput, PlannerLoopResult } from '../../src/contracts/runs/workflows';
import { Approvals } from '../steps/approvals';
import { generateStep } from '../steps/model-step';
import { BudgetFinish, RunBudget } from '../steps/run-budget';
import { buildResult, runPlannerLoop } from './planner-loop';
import { Transcript } from './transcript';

const FINISH_NOW =
  'No more tools can be called. Answer the user now from the results above, and say what is missing.';

/**
 * Runs a planner loop within its budget. Where that is used up and the run has to finish, the model is asked once more,
 * without tools, to answer from what is there.
 * @throws as `runPlannerLoop` does, except BudgetFinish
 */
export async function runPlannedQuery(input: PlannerLoopInput): Promise<PlannerLoopResult> {
  const started = Date.now();
  const transcript = new Transcript(input.query);
  const budget = new RunBudget(input.budget, new Approvals(input.approval));
  try {
    const result = await runPlannerLoop(input, { transcript, budget });
    return { ...result, usage: budget.usage };
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
