import type { RetryDelays } from '../retries';
import type { ToolAnnotations, ToolImplementation } from '../http/tools';
import type { CarriedSchema } from '../http/tool-schemas';
import type { ApprovalPolicy } from './approvals';

/** The area of a run: a search attribute of runs, and a part of workflow ids. */
export type Area = 'tools' | 'workflow' | 'agent' | 'intent' | 'memory' | 'memory-chat' | 'records';

/**
 * One tool call as a workflow receives it. It carries the tool itself, so that neither a removal nor a new registration
 * of the name changes a run in progress. It has a schema if the arguments can only be checked later: once their
 * templates are resolved, or once a person has answered with others.
 */
export interface ToolCall extends CarriedSchema {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly implementation: ToolImplementation;
  /** The tool was registered so that each call waits for a person. */
  readonly requiresApproval?: boolean;
  /** What the registration says of the tool. */
  readonly annotations?: ToolAnnotations;
}

/** The setting or option that a time limit comes from, so that an error can name it. */
export type LimitSource =
  | 'TOOL_TIMEOUT_MS'
  | 'options.timeout'
  | 'options.toolTimeout'
  | 'options.budget.maxDurationMs'
  | 'timeout'
  | 'toolTimeoutMs'
  | 'timeoutMs';

export interface ToolLimits {
  /** Time limit of each tool call, including retries and queueing, milliseconds. */
  readonly timeoutMs: number;
  readonly source: LimitSource;
  readonly maxAttempts: number;
  /** Absent: `RETRY_DELAYS`. */
  readonly delays?: RetryDelays;
  /** A redirect to another host than the one that was called fails the call. */
  readonly withinHost?: boolean;
  /** With `withinHost`: other hosts to which a redirect may lead nevertheless, as in `AllowedTargets.hosts`. */
  readonly redirectHosts?: readonly string[];
  /**
   * The API that started the run allows the call to reach private and loopback addresses. Absent: it does not, as in
   * runs that were started before the API stated it.
   */
  readonly allowPrivate?: boolean;
}

export interface ExecuteToolInput {
  readonly call: ToolCall;
  readonly limits: ToolLimits;
  /** Present if a call may have to wait for a person. */
  readonly approval?: ApprovalPolicy;
}

export interface ExecuteToolsInput {
  readonly calls: readonly ToolCall[];
  readonly limits: ToolLimits;
  /** As in `ExecuteToolInput`. */
  readonly approval?: ApprovalPolicy;
  /** The results of calls that are not made, by their numbers from 1, as in `CustomWorkflowInput`. Absent: all are made. */
  readonly reused?: Readonly<Record<string, ToolStepResult>>;
}

/**
 * The end of a tool call waits up to this long for its count, milliseconds; a later count is stored in the background.
 */
export const COUNT_LIMIT_MS = 5_000;

/** Input of the activity that runs a tool. */
export interface ToolStep extends CarriedSchema {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly implementation: ToolImplementation;
  /** As in `ToolCall`. */
  readonly annotations?: ToolAnnotations;
  /** Name of the call within its run. */
  readonly step: string;
  /** Epoch milliseconds by the clock of the Temporal server. */
  readonly deadline: number;
  readonly limits: ToolLimits;
}

/** Names a call in the history of its run, for readers of the history; absent in histories of earlier builds. */
export interface NamedOutcome {
  /** Name of the call within its run. */
  readonly step?: string;
  readonly toolName?: string;
}

/** Output of the activity that runs a tool. */
export interface ToolStepResult extends NamedOutcome {
  readonly output: unknown;
  /** Milliseconds that the tool itself ran in the last attempt. */
  readonly executionTime: number;
  readonly logs?: readonly string[];
}

/** The outcome of one of several calls that share an activity. */
export type SettledToolStep = NamedOutcome &
  (
    | { readonly succeeded: true; readonly result: ToolStepResult }
    | {
        readonly succeeded: false;
        readonly code: string;
        readonly message: string;
        readonly details?: unknown;
      }
  );

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
  /** Present in a sequence: the log lines of a tool whose output is an object. */
  readonly logs?: readonly string[];
}

export interface MultipleToolsResult {
  readonly results: readonly ToolRunItem[];
  readonly totalExecutionTime: number;
  readonly errors: readonly ToolFailure[];
}

/** The details in the failure of a run in which a tool failed. */
export interface ToolFailureDetails {
  readonly toolName: string;
  /** Absent with a timeout. */
  readonly args?: unknown;
  /** With a timeout: the limit, milliseconds. */
  readonly timeout?: number;
  /** With a timeout of a call that no worker took: the queue in which it waited. */
  readonly taskQueue?: string;
  /** In a sequence: the number of the call, from 1; `completed` has the results before it. */
  readonly stepNumber?: number;
  readonly completed?: unknown;
  readonly errors?: readonly ToolFailure[];
  /** The log lines of the tool before it failed. */
  readonly logs?: readonly string[];
  /** The response that `api_call` did not expect. */
  readonly answer?: UnexpectedAnswer;
  /** The type of the error of another worker. */
  readonly errorType?: string;
}

/** A response that a caller of `api_call` did not expect. */
export interface UnexpectedAnswer {
  readonly status: number;
  /** What was received, or a note of its length if it is long; left out of the errors of items if it is longer still. */
  readonly data?: unknown;
  readonly encoding?: 'base64';
  /** By lower-case name, bounded. */
  readonly headers?: Readonly<Record<string, string>>;
}
