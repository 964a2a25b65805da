import type { ChatMessage, GenerationOptions, ProviderName, TokenUsage } from '../http/llm';
import type { AllowedTargets } from '../allowed-targets';
import type { RetryDelays } from '../retries';
import type { ToolCall, ToolLimits } from './tools';
import type { StoredTool } from '../http/tools';
import type { WorkflowStep } from '../http/workflows';

/** Who answers the model calls of a run, decided before it starts so that it can be told in summaries. */
export interface ModelChoice extends GenerationOptions {
  readonly provider: ProviderName;
  readonly model: string;
}

export interface ModelLimits {
  /** Longest a model call may take, retries included, milliseconds. */
  readonly timeoutMs: number;
  /** Attempts at the whole call, each with the provider's own retries. */
  readonly maxAttempts: number;
  /** Between those attempts; absent: `MODEL_RETRY_DELAYS`. */
  readonly delays?: RetryDelays;
}

/** A step of a custom workflow as its run receives it: with all that the run must not look up again. */
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
}

export interface ExecuteToolFromQueryInput {
  readonly query: string;
  readonly tool: StoredTool;
  readonly choice: ModelChoice;
  readonly toolLimits: ToolLimits;
  readonly modelLimits: ModelLimits;
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
}

export interface PlannerLoopInput {
  readonly query: string;
  readonly choice: ModelChoice;
  /** Most turns in which tools are run. */
  readonly maxIterations: number;
  /** How often a tool's failure may be planned around. */
  readonly maxReplans: number;
  readonly toolLimits: ToolLimits;
  readonly modelLimits: ModelLimits;
  /** What calls may reach beyond what the query names. Absent in runs of earlier versions, whose calls reach everything. */
  readonly allow?: AllowedTargets;
}

/** Input of the activity that asks which tools to run next. */
export interface PlanInput {
  readonly messages: readonly ChatMessage[];
  readonly choice: ModelChoice;
  /** Epoch milliseconds by the engine's clock. */
  readonly deadline: number;
  readonly limits: ModelLimits;
  /** The only tool there is to choose; absent: every registered one. */
  readonly tool?: StoredTool;
}

export interface Plan {
  /** With no calls, the final answer. */
  readonly content: string;
  readonly calls: readonly PlannedCall[];
  readonly provider: ProviderName;
  readonly model: string;
  readonly usage: TokenUsage;
}

export interface PlannedCall {
  /** Ties the result to the request. */
  readonly id: string;
  readonly call: ToolCall;
}

/** Input of the activity that has text generated. */
export interface GenerateInput {
  readonly messages: readonly ChatMessage[];
  readonly choice: ModelChoice;
  readonly deadline: number;
  readonly limits: ModelLimits;
}

export interface PlannerLoopError {
  /** Which tool call, from 1. */
  readonly stepNumber: number;
  readonly toolName: string;
  readonly code: string;
  readonly error: string;
}

export interface PlannerLoopResult {
  /** False where the run stopped at `maxIterations` before its goal. */
  readonly success: boolean;
  readonly finalResult: unknown;
  readonly allResults: Readonly<Record<string, unknown>>;
  readonly executionOrder: readonly string[];
  readonly errors: readonly PlannerLoopError[];
  readonly executionTime: number;
  readonly traceId: string;
  readonly workflowId: string;
  /** The planner's last words. */
  readonly answer: string;
  readonly iterations: number;
  readonly llmUsage: TokenUsage;
  readonly provider: string;
  readonly model: string;
}
