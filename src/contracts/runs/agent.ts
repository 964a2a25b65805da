import type { Degradation, Recalled, ToolOutcome } from '../http/conversations';
import type { EarlierTurn, MemoryLimits, RecallQuery } from './turns';
import type { Classification, ClassificationOptions } from '../http/intents';
import type { AllowedTargets } from '../allowed-targets';
import type { ToolLimits } from './tools';
import type { ChatMessage, TokenUsage } from '../http/llm';
import type { ModelChoice, ModelLimits } from './workflows';

/** What of a recall the workflow does not know by itself. */
export type RecallOptions = Omit<RecallQuery, 'userId' | 'sessionId' | 'text' | 'widely'>;

export interface AgentTurnInput {
  readonly userId: string;
  readonly sessionId: string;
  readonly query: string;
  /** ULIDs of the memories that the turn leaves. */
  readonly messageIds: { readonly user: string; readonly assistant: string };
  /** The turn before it in its session, if that may still be under way. */
  readonly after?: EarlierTurn;
  readonly classification: ClassificationOptions;
  /** Absent: memory is not asked. */
  readonly recall?: RecallOptions;
  readonly choice: ModelChoice;
  /** Most turns of the planner in which tools are run. */
  readonly maxIterations: number;
  /** How often a tool's failure may be planned around. */
  readonly maxReplans: number;
  readonly toolLimits: ToolLimits;
  readonly modelLimits: ModelLimits;
  readonly memoryLimits: MemoryLimits;
  /** What calls of tools may reach beyond what the query names; absent: nothing. */
  readonly allow?: AllowedTargets;
}

/** Input of the activity that classifies the query of a turn. */
export interface ClassifyTurnInput {
  readonly query: string;
  readonly options: ClassificationOptions;
}

/** What a model that plans is told of memory. */
export interface PlanningBackground {
  readonly messages: readonly ChatMessage[];
  /** Ids of the memories in them. */
  readonly sources: readonly string[];
}

/** How long the parts of a turn took, milliseconds. */
export interface TurnTimes {
  readonly sessionWaitTime: number;
  readonly intentClassificationTime: number;
  readonly memorySearchTime: number;
  /** Planning included, but for a last plan that is the response. */
  readonly toolExecutionTime: number;
  /** Of what gave the response: an answer, or the planner's last words. */
  readonly llmResponseTime: number;
  readonly memoryStoreTime: number;
  /** From the end of the waiting to the end of the turn. */
  readonly executionTime: number;
}

export interface AgentTurnResult {
  readonly response: string;
  readonly classification: Classification;
  /** Absent where memory was not asked. */
  readonly recalled?: Recalled;
  readonly toolResults: readonly ToolOutcome[];
  /** Why tools that were wanted were not run. */
  readonly toolProblem?: string;
  /** Ids of the memories that the answer rests on. */
  readonly sources: readonly string[];
  readonly provider: string;
  readonly model: string;
  /** Of planning and answering. */
  readonly usage: TokenUsage;
  readonly degraded: readonly Degradation[];
  /** Whether the turn is in memory now. */
  readonly remembered: boolean;
  readonly times: TurnTimes;
  /** ISO 8601, when the turn began. */
  readonly startedAt: string;
}

/** A turn of a self-test. */
export interface SelfTestTurn {
  readonly turn: AgentTurnInput;
  readonly description: string;
}

export interface SelfTestInput {
  /** One after another. */
  readonly turns: readonly SelfTestTurn[];
  /** Whose memories the turns leave; they are erased at the end. */
  readonly userId: string;
}

/** How a turn of a self-test went. */
export type SelfTestOutcome =
  | { readonly result: AgentTurnResult }
  | { readonly error: { readonly code: string; readonly message: string } };

export interface SelfTestResult {
  /** In the order of the turns. */
  readonly outcomes: readonly SelfTestOutcome[];
  /** Whose memories may still be there, and why; absent where they are erased. */
  readonly leftBehind?: { readonly userId: string; readonly reason: string };
}
