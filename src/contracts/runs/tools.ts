import type { RetryDelays } from '../retries';
import type { ToolImplementation, ToolParameters } from '../http/tools';

/** What a run may be found by; also the vocabulary of workflow ids. */
export type Area = 'tools' | 'workflow' | 'agent' | 'intent' | 'memory' | 'memory-chat' | 'records';

/**
 * One tool call as a workflow receives it. It carries the tool itself, so that neither a removal nor a new
 * registration of the name changes a run under way.
 */
export interface ToolCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly implementation: ToolImplementation;
  /** Present where the arguments can only be checked once their templates are resolved. */
  readonly parameters?: ToolParameters;
}

/** Where a time limit came from, so that an error can name it. */
export type LimitSource = 'TOOL_TIMEOUT_MS' | 'options.timeout' | 'options.toolTimeout' | 'timeout';

export interface ToolLimits {
  /** Longest each tool call may take, retries and queueing included, milliseconds. */
  readonly timeoutMs: number;
  readonly source: LimitSource;
  readonly maxAttempts: number;
  /** Absent: `RETRY_DELAYS`. */
  readonly delays?: RetryDelays;
  /** A redirect to another host than the one that was called fails the call. */
  readonly withinHost?: boolean;
  /** With `withinHost`: hosts to which a redirect may lead all the same, as `AllowedTargets.hosts` has them. */
  readonly redirectHosts?: readonly string[];
  /**
   * The API that started the run allows the call to reach private and loopback addresses. Absent: it does not, as in runs
   * that were started before the API stated it.
   */
  readonly allowPrivate?: boolean;
}

export interface ExecuteToolInput {
  readonly call: ToolCall;
  readonly limits: ToolLimits;
}

export interface ExecuteToolsInput {
  readonly calls: readonly ToolCall[];
  readonly limits: ToolLimits;
}

/** How long the end of a tool call waits for its count to be stored, milliseconds; later the count is stored beside it. */
export const COUNT_LIMIT_MS = 5_000;

/** Input of the activity that runs a tool. */
export interface ToolStep {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly implementation: ToolImplementation;
  readonly parameters?: ToolParameters;
  /** Names the call within its run. */
  readonly step: string;
  /** Epoch milliseconds by the engine's clock. */
  readonly deadline: number;
  readonly limits: ToolLimits;
}

/** Output of the activity that runs a tool. */
export interface ToolStepResult {
  readonly output: unknown;
  /** Milliseconds the tool itself ran, last attempt. */
  readonly executionTime: number;
  readonly logs?: readonly string[];
}

/** How one of several calls that share an activity ended. */
export type SettledToolStep =
  | { readonly succeeded: true; readonly result: ToolStepResult }
  | {
      readonly succeeded: false;
      readonly code: string;
      readonly message: string;
      readonly details?: unknown;
    };

export interface SingleToolResult {
  readonly result: unknown;
  readonly executionTime: number;
  readonly toolName: string;
  readonly logs?: readonly string[];
}

/** A failed call within a run of several. */
export interface ToolFailure {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly toolName: string;
  readonly code: string;
  readonly error: string;
}

export interface ToolRunItem {
  readonly toolName: string;
  readonly success: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** In a sequence, what a tool printed whose output is an object. */
  readonly logs?: readonly string[];
}

export interface MultipleToolsResult {
  readonly results: readonly ToolRunItem[];
  readonly totalExecutionTime: number;
  readonly errors: readonly ToolFailure[];
}

/** Carried by the failure of a run in which a tool failed. */
export interface ToolFailureDetails {
  readonly toolName: string;
  /** Absent with a timeout. */
  readonly args?: unknown;
  /** With a timeout: the limit, milliseconds. */
  readonly timeout?: number;
  /** With a timeout of a call that no worker took: where it waited. */
  readonly taskQueue?: string;
  /** In a sequence: which call, from 1, and what was done before it. */
  readonly stepNumber?: number;
  readonly completed?: unknown;
  readonly errors?: readonly ToolFailure[];
  /** What the tool printed before it failed. */
  readonly logs?: readonly string[];
}
