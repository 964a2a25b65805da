import type { CallerTool } from '../http/caller-tools';
import type { ChatMessage, ChatResult, GenerationOptions, ProviderName, TokenUsage } from '../http/llm';
import type { BudgetLimit, RunUsage } from '../http/budgets';
import type { Degradation } from '../http/conversations';
import type { CallableAgent, CalledBy } from './agent-calls';
import type { ApprovalOutcome, ApprovalPolicy } from './approvals';
import type { BudgetPolicy, ModelAllowance } from './budgets';
import type { CallFailure } from './call-failures';
import type { AllowedTargets } from '../allowed-targets';
import type { JsonObject } from '../json';
import type { RetryDelays } from '../retries';
import type { ToolCall, ToolLimits } from './tools';
import type { JsonSchema, StoredTool } from '../http/tools';
import type { StepOutcome, WorkflowStep } from '../http/workflows';

/**
 * The provider and model for the calls of a run. It is decided before the run starts, so that summaries can name it.
 */
export interface ModelChoice extends GenerationOptions {
  readonly provider: ProviderName;
  readonly model: string;
}

export interface ModelLimits {
  /** Time limit of a model call with all its retries, from when it is sent, milliseconds. */
  readonly timeoutMs: number;
  /**
   * How long the call may wait for the calls before it at its provider, milliseconds; absent in runs of builds before that, whose
   * calls wait within the time that is left of their step.
   */
  readonly maxWaitMs?: number;
  /** Maximum number of attempts at a call; each has the provider's own retries. */
  readonly maxAttempts: number;
  /** The waits between those attempts; absent: `MODEL_RETRY_DELAYS`. */
  readonly delays?: RetryDelays;
}

/** A step of a custom workflow as its run receives it, with everything that the run must not look up again. */
export interface PreparedStep {
  readonly step: WorkflowStep;
  /** Ids of the steps it waits for. */
  readonly waitsFor: readonly string[];
  readonly execution: StepExecution;
}

export type StepExecution =
  /** The arguments come from the step's configuration. */
  | { readonly kind: 'tool'; readonly tool: Omit<ToolCall, 'args'>; readonly limits: ToolLimits }
  | { readonly kind: 'model'; readonly choice: ModelChoice; readonly limits: ModelLimits };

export interface CustomWorkflowInput {
  readonly name: string;
  readonly steps: readonly PreparedStep[];
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Present if a step may have to wait for a person. */
  readonly approval?: ApprovalPolicy;
  /** The outcomes of steps that do not run, by id: those of another run, or that a caller gave. Absent: all run. */
  readonly reused?: Readonly<Record<string, StepOutcome>>;
}

export interface ExecuteToolFromQueryInput {
  readonly query: string;
  readonly tool: StoredTool;
  readonly choice: ModelChoice;
  readonly toolLimits: ToolLimits;
  readonly modelLimits: ModelLimits;
  /** As in `CustomWorkflowInput`. */
  readonly approval?: ApprovalPolicy;
  /** Absent in runs of earlier builds, which have no limits. */
  readonly budget?: BudgetPolicy;
}

export interface ToolFromQueryResult {
  readonly result: unknown;
  readonly executionTime: number;
  readonly toolName: string;
  readonly extractedArgs: Readonly<Record<string, unknown>>;
  readonly llmUsage: TokenUsage;
  readonly provider: string;
  readonly model: string;
  readonly logs?: readonly string[];
  /** Absent in results of earlier builds. */
  readonly usage?: RunUsage;
}

export interface PlannerLoopInput {
  readonly query: string;
  readonly choice: ModelChoice;
  /** Maximum number of iterations that run tools. */
  readonly maxIterations: number;
  /** Maximum number of tool failures that are fed back to the planner. */
  readonly maxReplans: number;
  readonly toolLimits: ToolLimits;
  readonly modelLimits: ModelLimits;
  /**
   * Targets besides those that the query names. Absent in runs of earlier versions, whose calls may have any target.
   */
  readonly allow?: AllowedTargets;
  /** As in `TurnInput`. */
  readonly instructions?: string;
  /** As in `AgentTurnInput`. */
  readonly tools?: readonly string[];
  /** As in `AgentTurnInput`. */
  readonly calledBy?: CalledBy;
  /** As in `PlanInput`. */
  readonly agents?: readonly CallableAgent[];
  /** As in `PlanInput`. */
  readonly callerTools?: readonly CallerTool[];
  /** Present if the first plan has to call a tool. */
  readonly mustCall?: true;
  /** As in `CustomWorkflowInput`. */
  readonly approval?: ApprovalPolicy;
  /** As in `ExecuteToolFromQueryInput`. */
  readonly budget?: BudgetPolicy;
  /** What the run takes from another one. Absent: it asks for every plan and makes every call. */
  readonly reused?: ReusedPlans;
}

/** The first plans of another run, and what came of their calls, which are numbered from 1 through all plans. */
export interface ReusedPlans {
  readonly plans: readonly ReusedPlan[];
  /** The number of the first call that is made; the last plan may have calls from there on. */
  readonly firstMade: number;
  /** By the numbers of the calls before it. A call without an outcome was not made, and is not made. */
  readonly outcomes: Readonly<Record<string, ReusedOutcome>>;
}

/** A plan without its tokens, which belong to the run that asked for it. */
export type ReusedPlan = Omit<Plan, 'usage'>;

/** What came of a call of another run, and the arguments that a person gave it. */
export type ReusedOutcome = { readonly args?: ToolCall['args'] } & (
  | { readonly output: unknown; readonly executionTime: number }
  | {
      /** Absent details: those of a run of an earlier build, which are of its tool and arguments alone. */
      readonly error: Pick<CallFailure, 'code' | 'message'> & Partial<Pick<CallFailure, 'details'>>;
    }
  | { readonly denied: Pick<ApprovalOutcome, 'status' | 'comment'> }
);

/** Input of the activity that asks which tools to run next. */
export interface PlanInput {
  readonly messages: readonly ChatMessage[];
  readonly choice: ModelChoice;
  /** Epoch milliseconds by the clock of the Temporal server. */
  readonly deadline: number;
  readonly limits: ModelLimits;
  /** The only tool to choose from; absent: all registered tools. */
  readonly tool?: StoredTool;
  /** The only tools to choose from, as in `isOffered`; absent: all registered tools. */
  readonly tools?: readonly string[];
  /** Whether calls may be approved with other arguments, which are checked against the tools as they are now. */
  readonly mayPause?: boolean;
  /** The agents that are offered besides the tools; absent: none. */
  readonly agents?: readonly CallableAgent[] | undefined;
  /** The tools that the caller runs, which are offered besides; absent: none. */
  readonly callerTools?: readonly CallerTool[] | undefined;
  /** Present if a tool has to be called. */
  readonly mustCall?: true | undefined;
  /** What is left of the run's budget; absent if it has none. */
  readonly allowance?: ModelAllowance | undefined;
}

export interface Plan {
  /** The planner's text; without calls it is the final answer. */
  readonly content: string;
  readonly calls: readonly PlannedCall[];
  /** As in `ToolChoiceResult`. */
  readonly thoughts?: string;
  /** As in `ToolChoiceResult`. */
  readonly extra?: JsonObject;
  /** As in `ToolChoiceResult`. */
  readonly finishReason?: 'length';
  readonly provider: ProviderName;
  readonly model: string;
  readonly usage: TokenUsage;
  /** What of the user's files the planner was not given; absent if it was given all. */
  readonly degraded?: readonly Degradation[];
}

export interface PlannedCall {
  /** Connects the result with the request. */
  readonly id: string;
  readonly call: ToolCall;
  /** As in `ToolRequest`. */
  readonly extra?: unknown;
}

/** Input of the activity that generates text. */
export interface GenerateInput {
  readonly messages: readonly ChatMessage[];
  readonly choice: ModelChoice;
  readonly deadline: number;
  readonly limits: ModelLimits;
  /** Name of the call within its run; absent in histories of earlier builds. */
  readonly step?: string;
  /** Absent: the answer is any text. */
  readonly schema?: JsonSchema | undefined;
  /** As in `PlanInput`. */
  readonly allowance?: ModelAllowance | undefined;
}

export interface GenerateResult extends ChatResult {
  /** As in the input, for readers of the history. */
  readonly step?: string;
}

export interface PlannerLoopError {
  /** Number of the tool call, from 1. */
  readonly stepNumber: number;
  readonly toolName: string;
  readonly code: string;
  readonly error: string;
}

export interface PlannerLoopResult {
  /** False if the run stopped at `maxIterations` before its goal. */
  readonly success: boolean;
  readonly finalResult: unknown;
  readonly allResults: Readonly<Record<string, unknown>>;
  readonly executionOrder: readonly string[];
  readonly errors: readonly PlannerLoopError[];
  readonly executionTime: number;
  readonly traceId: string;
  readonly workflowId: string;
  /** The planner's last message. */
  readonly answer: string;
  readonly iterations: number;
  /** The limit that ended the run's work, if it then answered from what was there. */
  readonly exceeded?: BudgetLimit;
  /** Absent in results of earlier builds. */
  readonly usage?: RunUsage;
  readonly llmUsage: TokenUsage;
  readonly provider: string;
  readonly model: string;
}
