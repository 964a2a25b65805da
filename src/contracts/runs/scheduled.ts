import type { TurnFile } from '../http/files';

/** The input of the workflow that a schedule starts. The request lies in the store, since values of a schedule outlive their run. */
export interface ScheduledRunInput {
  readonly scheduleId: string;
}

/** A run, ready to be started as a child. */
export interface PreparedChild {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: unknown;
  /** As in `RunRequest`. */
  readonly files?: readonly TurnFile[] | undefined;
  readonly summary: string;
  /** As in `RunRequest`. */
  readonly runTimeoutMs?: number | undefined;
  /** As in `RunRequest`. A run that is late is prepared again. */
  readonly startBefore?: number | undefined;
  readonly memo: Readonly<Record<string, unknown>>;
  /** Search attributes of the type keyword, or of keywords if the value is a list. */
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
}

/** The run of a schedule, or why none is started. */
export type ScheduledStart = PreparedChild | { readonly skipped: string };

export interface ScheduledRunResult {
  /** Why no run was started. */
  readonly skipped?: string;
}

/** The field of the memo of a scheduled run that names the run that it started. */
export const STARTED_MEMO = 'started';

/** What that field holds. */
export interface StartedMemo {
  readonly workflowId: string;
  readonly runId: string;
}
