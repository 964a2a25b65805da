import type { HttpImplementation, JsonSchema, RemoteImplementation } from '../contracts/http/tools';
import type { ToolCall } from '../contracts/runs/tools';
import type { RunOwner } from '../contracts/runs/run-owner';

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolOutput {
  /** Any JSON value. */
  readonly value: unknown;
  /** The value as JSON text in UTF-8, if it is large. It is in the place of `value`. */
  readonly json?: Uint8Array;
  /** What the tool printed, bounded. */
  readonly logs?: readonly string[];
}

/** Whether the request of a call may have reached its server, remembered from one attempt to the next. */
export interface SentMark {
  /** True if an earlier attempt may have sent the request: it did not say that it has not. */
  readonly earlier: boolean;
  set(isSent: boolean): void;
}

export interface ToolContext {
  /** For whom the call is made. What all callers share, such as threads, is shared out by it. */
  readonly owner: RunOwner;
  /** Aborted when the call's deadline passes or its run is cancelled. */
  readonly signal: AbortSignal;
  /** Milliseconds that the call had left when it started. */
  readonly timeoutMs: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** True if no further attempt follows: a tool then returns what it has instead of asking for a retry. */
  readonly lastAttempt: boolean;
  /** Whether a redirect to another host than the one that was called fails the call. */
  readonly withinHost?: boolean;
  /** With `withinHost`: other hosts to which a redirect may lead nevertheless, as `AllowedTargets.hosts` has them. */
  readonly redirectHosts?: readonly string[];
  /** Whether the call's run carries the permission to reach private and loopback addresses. Absent: it does not. */
  readonly allowPrivate?: boolean;
  /** Waits for room for a large value, which the runner gives back after the call. Absent: there is no limit. */
  readonly admit?: (bytes: number) => Promise<void>;
  /** Absent if no attempt follows another. */
  readonly sent?: SentMark;
  /** By which a server recognises a call that it got before: the same at each attempt. Absent outside of runs. */
  readonly idempotencyKey?: string;
}

/** A call of a tool of a remote server. */
export interface RemoteCall {
  readonly toolName: string;
  readonly args: ToolArguments;
  readonly implementation: RemoteImplementation;
}

/** Calls tools of remote servers. */
export interface RemoteTools {
  /**
   * Makes one attempt at a call.
   * @throws HoldfastError `VALIDATION`, `TOOL_EXECUTION_FAILED` (retryable only if the call may be made twice)
   */
  call(call: RemoteCall, context: ToolContext): Promise<ToolOutput>;
}

/** A call of a tool that is a request to a server of the caller's. */
export type HttpCall = Omit<ToolCall, 'implementation'> & { readonly implementation: HttpImplementation };

/** Makes the requests of tools. */
export interface HttpTools {
  /** Makes one attempt at a call. @throws HoldfastError as `api_call` does, and for arguments that fit no request */
  call(call: HttpCall, context: ToolContext): Promise<ToolOutput>;
}

/** A tool that is part of the service. `run` throws `toolError` for a failure the caller may read. */
export interface BuiltinTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  run(args: ToolArguments, context: ToolContext): Promise<ToolOutput>;
}
