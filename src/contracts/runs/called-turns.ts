import type { AllowedTargets } from '../allowed-targets';
import type { AgentTurnInput, AgentTurnResult } from './agent';
import type { CalledBy, TurnNarrowing } from './agent-calls';
import type { ApprovalOutcome, ApprovalPolicy, ApprovalQuestion } from './approvals';
import type { BudgetPolicy } from './budgets';
import type { PreparedChild } from './scheduled';
import type { ToolLimits } from './tools';
import type { ModelChoice } from './workflows';

/** A call of an agent by a planner, from which the turn of that agent is prepared. */
export interface AgentCall {
  readonly agent: string;
  readonly query: string;
  readonly userId: string;
  /** The first run id of the turn that calls. */
  readonly runId: string;
  /** The workflow id that the turn will have. */
  readonly workflowId: string;
  /** Name of the call within the turn that makes it. */
  readonly callStep: string;
  readonly calledBy: CalledBy;
  /** The model of the turn that calls, for an agent that names none. */
  readonly choice: ModelChoice;
  readonly approval?: ApprovalPolicy | undefined;
  /** What is left of the budget. */
  readonly budget?: BudgetPolicy | undefined;
  readonly allow?: AllowedTargets | undefined;
  readonly toolLimits: ToolLimits;
  readonly narrowing?: TurnNarrowing | undefined;
}

/** The turn of an agent, ready to be started as a child. */
export interface PreparedAgentTurn extends Pick<PreparedChild, 'summary' | 'memo' | 'attributes'> {
  readonly input: AgentTurnInput;
}

/** The signal by which a turn asks the one that has called it for an approval, and the one that brings the answer. */
export const ASK_SIGNAL = 'askForApproval';
export const ANSWER_SIGNAL = 'approvalAnswered';

export interface AskedByCall {
  /** The workflow id of the turn that asks. */
  readonly workflowId: string;
  readonly question: ApprovalQuestion;
  /** Present if the turn does not wait for the answer any more. */
  readonly isWithdrawn?: true;
}

export interface AnswerToCall {
  /** The step of the question. */
  readonly step: string;
  readonly outcome: ApprovalOutcome;
}

/**
 * What a turn that was called gives the planner that calls: its answer, with what kept it from its work and what it had to do
 * without. Pure.
 */
export function outputOfTurn({ output, response, toolProblem, degraded }: CalledResult): unknown {
  const answer = output ?? response;
  if (toolProblem === undefined && degraded.length === 0) return answer;
  return {
    answer,
    problem: toolProblem,
    without: degraded.map(({ reason, consequence }) => `${reason}: ${consequence}`),
  };
}

type CalledResult = Pick<AgentTurnResult, 'output' | 'response' | 'toolProblem' | 'degraded'>;
