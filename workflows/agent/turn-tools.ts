import { ApplicationFailure } from '@temporalio/common';
import { isCancellation } from '@temporalio/workflow';
import type { AgentTurnInput, PlanningBackground } from '../../src/contracts/runs/agent';
import type { Degradation, ToolOutcome } from '../../src/contracts/http/conversations';
import type { TokenUsage } from '../../src/contracts/http/llm';
import { NOTHING_ALLOWED } from '../../src/contracts/allowed-targets';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import { endsRun } from '../steps/approvals';
import { BudgetFinish, isExhausted, type RunBudget } from '../steps/run-budget';
import { Transcript, PlannedToolFailure } from '../planner/transcript';
import { runPlannerLoop } from '../planner/planner-loop';

/** What the tools of a turn did. */
export interface TurnTools {
  readonly outcomes: readonly ToolOutcome[];
  /** Why the goal was not reached, where no entry of `outcomes` says so. */
  readonly problem?: string;
  /** What the model that planned said about the results. */
  readonly answer?: PlannerAnswer;
  readonly choice: ModelChoice;
  readonly usage: TokenUsage;
  readonly degraded: readonly Degradation[];
  /** Milliseconds, without those of the answer and of waits for people. */
  readonly time: number;
}

export interface PlannerAnswer {
  readonly text: string;
  /** Ids of the memories that the planner was given. */
  readonly sources: readonly string[];
  /** Milliseconds. */
  readonly time: number;
  /** As in `TurnResult`. */
  readonly finishReason?: 'length';
}

/** What the planner of a turn works on. */
export interface TurnWork {
  /** The query that the planner answers. */
  readonly query: string;
  /** Memories that it may use besides. */
  readonly background: PlanningBackground;
  /** Builds the query for the rules, which plan where the model fails. */
  readonly fallbackQuery: () => Promise<string>;
}

export const RULES_CHOICE: ModelChoice = { provider: 'builtin', model: 'builtin' };
/** Codes of failures of the model that plans, in contrast to failures of the tools. */
const MODEL_FAILURES: ReadonlySet<string | undefined> = new Set([
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_OUTPUT_INVALID',
  'MODEL_NOT_CONFIGURED',
  'MODEL_UNKNOWN',
]);

/**
 * Lets the planner of `mcp` choose and run tools for a turn. Where a model fails before any tool ran, rules plan
 * instead. A goal that is not reached is reported in `problem` and does not fail the turn.
 * @throws the run's cancellation; ApplicationFailure `APPROVAL_EXPIRED`, `APPROVAL_DENIED` or `BUDGET_EXHAUSTED` as `runPlannerLoop` does
 */
export async function runTurnTools(
  input: AgentTurnInput,
  budget: RunBudget,
  { query, background, fallbackQuery }: TurnWork,
): Promise<TurnTools> {
  const started = Date.now();
  const { waitedMs } = budget.approvals;
  // maxTokens is a limit of the answer. In planning it would cut tool calls in two.
  const { maxTokens: _limit, ...choice } = input.choice;
  const first = await runPlanner(input, budget, query, background, choice);
  const instead =
    first.modelFailure === undefined
      ? undefined
      : await runPlanner(input, budget, await fallbackQuery(), NO_BACKGROUND, RULES_CHOICE);
  const { modelFailure: _, noPlanner, ...tools } = instead ?? first;
  return {
    ...tools,
    degraded:
      first.modelFailure === undefined ? [] : [planningModelDown(first.modelFailure, noPlanner === true)],
    time: Date.now() - started - (budget.approvals.waitedMs - waitedMs) - (tools.answer?.time ?? 0),
  };
}

export const NO_BACKGROUND: PlanningBackground = { messages: [], sources: [] };

interface PlannerOutcome extends Omit<TurnTools, 'degraded' | 'time'> {
  /** Why the model gave no plan; present where it failed before any tool ran. */
  readonly modelFailure?: string;
  /** True where no rules are installed that could plan instead. */
  readonly noPlanner?: boolean;
}

async function runPlanner(
  input: AgentTurnInput,
  budget: RunBudget,
  query: string,
  background: PlanningBackground,
  choice: ModelChoice,
): Promise<PlannerOutcome> {
  const transcript = new Transcript(query, background.messages);
  const { outcomes } = transcript;
  const usage = (): TokenUsage => transcript.usage;
  try {
    const { answer, success, errors } = await runPlannerLoop(
      { ...input, query, choice, allow: input.allow ?? NOTHING_ALLOWED },
      { transcript, said: input.query, budget },
    );
    if (!success) {
      const problem = errors.at(-1)?.error ?? 'The work was not finished';
      return { outcomes, problem, choice, usage: usage() };
    }
    const isModels = choice.provider !== 'builtin' && answer.trim() !== '';
    const { sources } = background;
    const cut = transcript.isAnswerCut ? ({ finishReason: 'length' } as const) : {};
    const words = { text: answer, sources, time: transcript.answerTime, ...cut };
    return { outcomes, choice, usage: usage(), ...(isModels ? { answer: words } : {}) };
  } catch (error) {
    // The failed call is the last of `outcomes`, so no further problem is reported.
    if (error instanceof PlannedToolFailure) return { outcomes, choice, usage: usage() };
    if (error instanceof BudgetFinish) return { outcomes, problem: error.message, choice, usage: usage() };
    if (isExhausted(error)) throw error;
    if (isCancellation(error) || endsRun(error, input.approval) || !(error instanceof ApplicationFailure))
      throw error;
    const isModels =
      choice.provider !== 'builtin' && outcomes.length === 0 && MODEL_FAILURES.has(error.type ?? undefined);
    return {
      outcomes,
      problem: error.message,
      choice,
      usage: usage(),
      ...(isModels ? { modelFailure: error.message } : {}),
      ...(choice.provider === 'builtin' && error.type === 'MODEL_NOT_CONFIGURED' ? { noPlanner: true } : {}),
    };
  }
}

function planningModelDown(reason: string, noPlanner: boolean): Degradation {
  const consequence = noPlanner ? 'no tools were chosen' : 'the built-in rules chose the tools';
  return { service: 'llm', reason, consequence };
}
