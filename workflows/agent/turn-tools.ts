import { ApplicationFailure } from '@temporalio/common';
import { isCancellation } from '@temporalio/workflow';
import type { AgentTurnInput, PlanningBackground } from '../../src/contracts/runs/agent';
import type { Degradation, ToolOutcome } from '../../src/contracts/http/conversations';
import type { TokenUsage } from '../../src/contracts/http/llm';
import { NOTHING_ALLOWED } from '../../src/contracts/reach';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import { Conversation, PlannedToolFailure } from '../planner/transcript';
import { runPlanned } from '../planner/planned-run';

/** What tools did for a turn. */
export interface TurnTools {
  readonly outcomes: readonly ToolOutcome[];
  /** Why what was wanted of them was not reached, as far as no outcome tells. */
  readonly problem?: string;
  /** A model's own words on what they gave. */
  readonly answer?: PlannersAnswer;
  readonly choice: ModelChoice;
  readonly usage: TokenUsage;
  readonly degraded: readonly Degradation[];
  /** Milliseconds, those of the answer not counted. */
  readonly time: number;
}

export interface PlannersAnswer {
  readonly text: string;
  /** Ids of the memories that the planner was given. */
  readonly sources: readonly string[];
  /** Milliseconds. */
  readonly time: number;
}

/** What tools are to be chosen for. */
export interface TurnWork {
  /** What the planner works on. */
  readonly query: string;
  /** What it may use beside. */
  readonly background: PlanningBackground;
  /** What rules work on where the model fails. */
  readonly queryOfRules: () => Promise<string>;
}

export const RULES: ModelChoice = { provider: 'builtin', model: 'builtin' };
/** Failures of the model that plans, and not of what is planned. */
const MODEL_FAILURES: ReadonlySet<string | undefined> = new Set([
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_OUTPUT_INVALID',
  'MODEL_NOT_CONFIGURED',
  'MODEL_UNKNOWN',
]);

/**
 * Lets the planner of `mcp` choose and run tools for a turn. A model that fails before any tool ran is made good by rules; what
 * cannot be solved is told and fails no turn.
 * @throws the run's cancellation
 */
export async function runTurnTools(
  input: AgentTurnInput,
  { query, background, queryOfRules }: TurnWork,
): Promise<TurnTools> {
  const started = Date.now();
  // The limit is one of the response; it would cut calls of tools in two.
  const { maxTokens: _limit, ...choice } = input.choice;
  const first = await plan(input, query, background, choice);
  const instead =
    first.modelFailure === undefined
      ? undefined
      : await plan(input, await queryOfRules(), NO_BACKGROUND, RULES);
  const { modelFailure: _, noPlanner, ...tools } = instead ?? first;
  return {
    ...tools,
    degraded:
      first.modelFailure === undefined ? [] : [planningModelDown(first.modelFailure, noPlanner === true)],
    time: Date.now() - started - (tools.answer?.time ?? 0),
  };
}

export const NO_BACKGROUND: PlanningBackground = { messages: [], sources: [] };

interface Planned extends Omit<TurnTools, 'degraded' | 'time'> {
  /** Why the model gave no plan at all. */
  readonly modelFailure?: string;
  /** True where there are no rules that could plan in its stead. */
  readonly noPlanner?: boolean;
}

async function plan(
  input: AgentTurnInput,
  query: string,
  background: PlanningBackground,
  choice: ModelChoice,
): Promise<Planned> {
  const conversation = new Conversation(query, background.messages);
  const { outcomes } = conversation;
  const usage = (): TokenUsage => conversation.usage;
  try {
    const { answer, success, errors } = await runPlanned(
      { ...input, query, choice, allow: input.allow ?? NOTHING_ALLOWED },
      { conversation, said: input.query },
    );
    if (!success) {
      const problem = errors.at(-1)?.error ?? 'The work was not finished';
      return { outcomes, problem, choice, usage: usage() };
    }
    const isModels = choice.provider !== 'builtin' && answer.trim() !== '';
    const { sources } = background;
    const words = { text: answer, sources, time: conversation.answerTime };
    return { outcomes, choice, usage: usage(), ...(isModels ? { answer: words } : {}) };
  } catch (error) {
    // Its outcome tells.
    if (error instanceof PlannedToolFailure) return { outcomes, choice, usage: usage() };
    if (isCancellation(error) || !(error instanceof ApplicationFailure)) throw error;
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
