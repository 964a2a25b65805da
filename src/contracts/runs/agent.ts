import type { ResponseDetailLevel } from '../http/agent';
import type { AgentVersion } from '../http/agents';
import type { CallableAgent, CalledBy, TurnNarrowing } from './agent-calls';
import type { ApprovalPolicy } from './approvals';
import type { ModelAllowance } from './budgets';
import type { Degradation, Recalled, SessionName, ToolOutcome } from '../http/conversations';
import type { EarlierMessage, TurnInput, TurnResult } from './turns';
import type { Classification, ClassificationOptions } from '../http/intents';
import type { AllowedTargets } from '../allowed-targets';
import type { ToolLimits } from './tools';
import type { JsonSchema } from '../http/tools';
import type { ModelChoice } from './workflows';
import type { CallerTool } from '../http/caller-tools';
import type { ChatMessage } from '../http/llm';
import type { FileHead } from '../http/files';

export interface AgentTurnInput extends TurnInput {
  readonly query: string;
  /**
   * What the user has sent with the query; absent: nothing. The files themselves are the second argument of the run and of the
   * steps that need them, so that whatever reads this input does not read them, and the store has them once.
   */
  readonly files?: readonly FileHead[] | undefined;
  readonly classification: ClassificationOptions;
  /** Present if the caller names no temperature: that of `choice` is of the answer alone then. */
  readonly hasUsualTemperature?: boolean;
  /** Maximum number of planner iterations that run tools. */
  readonly maxIterations: number;
  /** Maximum number of tool failures that are fed back to the planner. */
  readonly maxReplans: number;
  readonly toolLimits: ToolLimits;
  /** Targets that tool calls may have besides those that the query names; absent: none. */
  readonly allow?: AllowedTargets;
  /** The only tools that it may call, as in `isOffered`; absent: all. Empty: it calls none. */
  readonly tools?: readonly string[];
  /** The schema that the answer has to fit; absent: it is any text. */
  readonly responseSchema?: JsonSchema;
  /** Which of its calls wait for a person. Absent: the turn cannot wait, and calls that need an approval are denied. */
  readonly approval?: ApprovalPolicy;
  /** The agents that its planner may call. Absent: none. */
  readonly agents?: readonly CallableAgent[];
  /** The tools that the caller runs. Absent: none. */
  readonly callerTools?: readonly CallerTool[];
  /** Present if another turn has called this one. */
  readonly calledBy?: CalledBy;
  /** Present in a turn that may call agents, or was called, if its request allows less than its agent may. */
  readonly narrowing?: TurnNarrowing;
  /**
   * How much detail callers see of the result. The turn itself does not read it. Absent in runs of builds before it:
   * the default level.
   */
  readonly responseDetailLevel?: ResponseDetailLevel;
  /** The named agent that answers; absent: the service's own. */
  readonly agent?: AgentVersion;
  /** Present if the turn is not stored in memory. */
  readonly remember?: false;
  /** Present if the model has to call a tool before it answers. */
  readonly mustCall?: true;
  /** The messages before the query, the oldest first, if the caller carries the conversation; absent: memory alone has it. */
  readonly earlier?: readonly EarlierMessage[] | undefined;
}

/** Input of the activity that classifies the query of a turn. */
export interface ClassifyTurnInput {
  readonly query: string;
  readonly options: ClassificationOptions;
  /** As in `PlanInput`. */
  readonly allowance?: ModelAllowance | undefined;
  /** As in `ModelLimits`. */
  readonly maxWaitMs?: number;
}

/** The turn whose memories are put into words. */
export interface DescribedTurn extends SessionName {
  readonly query: string;
  /** The model that reads them. */
  readonly choice: ModelChoice;
  /** As in `TurnInput`; the model reads them beside the memories. */
  readonly instructions?: string | undefined;
  /** As in `AgentTurnInput`. */
  readonly tools?: readonly string[] | undefined;
  readonly crossSession: boolean;
  /** As in `AgentTurnInput`. */
  readonly agents?: readonly CallableAgent[] | undefined;
  /** As in `AgentTurnInput`. */
  readonly callerTools?: readonly CallerTool[] | undefined;
}

/** The memories that a model that plans is given. */
export interface PlanningBackground {
  readonly messages: readonly ChatMessage[];
  /** Ids of the memories in them. */
  readonly sources: readonly string[];
  /** What had to be left out; absent if nothing was. */
  readonly degraded?: readonly Degradation[];
}

/** How long the parts of a turn took, milliseconds. */
export interface TurnTimes {
  readonly sessionWaitTime: number;
  readonly intentClassificationTime: number;
  readonly memorySearchTime: number;
  /** Includes planning, except for a last plan that is the response. */
  readonly toolExecutionTime: number;
  /** The time of the step that gave the response: of answering, or of the planner's last message. */
  readonly llmResponseTime: number;
  readonly memoryStoreTime: number;
  /** From the end of the wait for earlier turns to the end of the turn. */
  readonly executionTime: number;
}

export interface AgentTurnResult extends TurnResult {
  readonly response: string;
  /** The value of `response`; present if the caller named a schema for it. */
  readonly output?: unknown;
  readonly classification: Classification;
  /** Absent if memory was not searched. */
  readonly recalled?: Recalled;
  readonly toolResults: readonly ToolOutcome[];
  /** Why tools that the query needs were not run. */
  readonly toolProblem?: string;
  /** Whether the turn was stored in memory. */
  readonly remembered: boolean;
  /** How many turns the run has had by the end of this one; present if the turn may call agents or was called. */
  readonly agentTurns?: number;
  readonly times: TurnTimes;
  /** ISO 8601, when the turn began. */
  readonly startedAt: string;
  /** As in `AgentTurnInput`. */
  readonly agent?: AgentVersion;
}

/** What the caller of a called turn counts of it; a failure has it among its details. */
export type CalledTurnUsage = Pick<AgentTurnResult, 'runUsage' | 'agentTurns'>;

/** A turn of a self-test. */
export interface SelfTestTurn {
  readonly turn: AgentTurnInput;
  readonly description: string;
}

export interface SelfTestInput {
  /** The turns run one after another. */
  readonly turns: readonly SelfTestTurn[];
  /** The user of the turns, whose memories are erased at the end. */
  readonly userId: string;
}

/** The outcome of a turn of a self-test. */
export type SelfTestOutcome =
  | { readonly result: AgentTurnResult }
  | { readonly error: { readonly code: string; readonly message: string } };

export interface SelfTestResult {
  /** In the order of the turns. */
  readonly outcomes: readonly SelfTestOutcome[];
  /** The user whose memories may still exist, and why; absent once they are erased. */
  readonly leftBehind?: { readonly userId: string; readonly reason: string };
}
