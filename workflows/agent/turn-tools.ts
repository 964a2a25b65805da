import { ApplicationFailure } from '@temporalio/common';
import { isCancellation } from '@temporalio/workflow';
import type { AgentTurnInput, PlanningBackground } from '../../src/contracts/runs/agent';
import type { Degradation, ToolOutcome } from '../../src/contracts/http/conversations';
import type { TurnFile } from '../../src/contracts/http/files';
import type { TokenUsage } from '../../src/contracts/http/llm';
import { NOTHING_ALLOWED } from '../../src/contracts/allowed-targets';
import { endsRun } from '../steps/approvals';
import { BudgetFinish, isExhausted, type RunBudget } from '../steps/run-budget';
import type { CalledTurns } from '../planner/called-turns';
import { Transcript, PlannedToolFailure } from '../planner/transcript';
import { runPlannerLoop } from '../planner/planner-loop';

/** What the tools of a turn did. */
export interface TurnTools {
  readonly outcomes: readonly ToolOutcome[];
  /** Why the goal was not reached, if no entry of `outcomes` says so. */
  readonly problem?: string;
  /** What the model that planned said about the results. */
  readonly answer?: PlannerAnswer;
  readonly usage: TokenUsage;
  /** What the model that planned had to do without; absent if that was nothing. */
  readonly degraded?: readonly Degradation[];
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

/** What a planner has besides the query. */
export interface PlanningMeans {
  /** Memories that it may use. */
  readonly background: PlanningBackground;
  /** What the user has sent with the query; absent: nothing. */
  readonly files?: readonly TurnFile[] | undefined;
  /** The agents that it may call; absent: none. */
  readonly calledTurns?: CalledTurns | undefined;
}

export const NO_BACKGROUND: PlanningBackground = { messages: [], sources: [] };

/** Codes of failures of a model, in contrast to failures of the tools. */
const MODEL_FAILURES: ReadonlySet<string | null | undefined> = new Set([
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_OUTPUT_INVALID',
  'MODEL_INPUT_UNSUPPORTED',
  'MODEL_NOT_CONFIGURED',
  'MODEL_UNKNOWN',
]);

/** Whether an error says that a model failed. Pure. */
export function isModelFailure(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && MODEL_FAILURES.has(error.type);
}

/**
 * Lets the planner of `mcp` choose and run tools for a turn. A goal that is not reached is reported in `problem` and does
 * not fail the turn, unless a model failed before any tool ran: nothing else may choose tools in its place.
 * @throws the run's cancellation; ApplicationFailure with the code of the model's failure, `MODEL_LOOP` always, or `APPROVAL_EXPIRED`,
 *   `APPROVAL_DENIED` or `BUDGET_EXHAUSTED` as `runPlannerLoop` does
 */
export async function runTurnTools(
  input: AgentTurnInput,
  budget: RunBudget,
  { background, files, calledTurns }: PlanningMeans,
): Promise<TurnTools> {
  const started = Date.now();
  const { waitedMs } = budget.approvals;
  const tools = await runPlanner(input, budget, { background, files, calledTurns });
  return {
    ...tools,
    time: Date.now() - started - (budget.approvals.waitedMs - waitedMs) - (tools.answer?.time ?? 0),
  };
}

async function runPlanner(
  input: AgentTurnInput,
  budget: RunBudget,
  { background, files, calledTurns }: PlanningMeans,
): Promise<Omit<TurnTools, 'time'>> {
  // maxTokens is a limit of the answer. In planning it would cut tool calls in two.
  const { maxTokens: _limit, temperature, ...rest } = input.choice;
  const choice = input.hasUsualTemperature === true ? rest : { ...rest, temperature };
  const isModel = choice.provider !== 'builtin';
  const transcript = new Transcript(input.query, background.messages, input.instructions, files);
  const { outcomes } = transcript;
  const endedBy = (problem?: string): Omit<TurnTools, 'time'> => ({
    outcomes,
    usage: transcript.usage,
    degraded: degradations(background, transcript),
    problem,
  });
  try {
    const { answer, success, errors } = await runPlannerLoop(
      { ...input, choice, allow: input.allow ?? NOTHING_ALLOWED },
      { transcript, budget, calledTurns },
    );
    if (!success) return endedBy(errors.at(-1)?.error ?? 'The work was not finished');
    if (!isModel || answer.trim() === '') return endedBy();
    const { sources } = background;
    const cut = transcript.isAnswerCut ? ({ finishReason: 'length' } as const) : {};
    return { ...endedBy(), answer: { text: answer, sources, time: transcript.answerTime, ...cut } };
  } catch (error) {
    // The failed call is the last of `outcomes`, so no further problem is reported.
    if (error instanceof PlannedToolFailure) return endedBy();
    if (error instanceof BudgetFinish) return endedBy(error.message);
    if (isExhausted(error) || isCancellation(error) || endsRun(error, input.approval)) throw error;
    if (!(error instanceof ApplicationFailure)) throw error;
    // No other model, and no rules, stand in for a service that leads back to itself.
    if (error.type === 'MODEL_LOOP') throw error;
    if (isModel && outcomes.length === 0 && isModelFailure(error)) throw error;
    return endedBy(error.message);
  }
}

/** What the planner did without: memories, and parts of files. @returns undefined if that was nothing */
function degradations(
  background: PlanningBackground,
  { degraded }: Pick<Transcript, 'degraded'>,
): readonly Degradation[] | undefined {
  return degraded.length === 0 ? background.degraded : [...degraded, ...(background.degraded ?? [])];
}
