import type { SessionSummary } from '../http/consolidations';

/** What a consolidation looks at. */
export interface ConsolidationOptions {
  /** Memories that were stored later stay as they are, epoch milliseconds. */
  readonly before: number;
  /** The number of messages from which on a session is summarised. */
  readonly longSession: number;
}

/** The input of a consolidation of one user's memories. */
export interface ConsolidationInput extends ConsolidationOptions {
  readonly userId: string;
  /** The id under which it can be undone; absent: nothing is changed. */
  readonly consolidationId?: string;
}

/** A memory as it was when it was compared. */
export interface MemoryVersion {
  readonly id: string;
  readonly revision: number;
}

/** A memory to archive. */
export interface PlannedArchiving extends MemoryVersion {
  /** The memory that says the same and stays; absent if nothing that the memory says holds any more. */
  readonly kept?: MemoryVersion;
  /** True for a summary in whose place a newer one comes. */
  readonly replaced?: true;
}

export interface PlannedSummary extends SessionSummary {
  /** The id of the memory that the summary becomes. */
  readonly id: string;
}

/** What a consolidation is going to do. */
export interface ConsolidationPlan {
  readonly compared: { readonly episodic: number; readonly semantic: number };
  readonly archive: readonly PlannedArchiving[];
  readonly summaries: readonly PlannedSummary[];
  /** Whether there is more to do than one run does. */
  readonly more: boolean;
}

/** Names a consolidation of a user. */
export interface ConsolidationName {
  readonly userId: string;
  readonly consolidationId: string;
}

export interface ArchiveInput extends ConsolidationName {
  readonly memories: readonly PlannedArchiving[];
  /** The place of the first of them in the whole plan. */
  readonly start: number;
}

export interface SummariesInput extends ConsolidationName {
  readonly summaries: readonly PlannedSummary[];
}

export interface ConsolidationEndInput extends ConsolidationName {
  readonly archived: number;
}

export interface ConsolidationEnd {
  /** ISO 8601. */
  readonly undoableUntil: string;
}

/** The outcome of one step of an undo. */
export interface UndoStep {
  readonly restored: number;
  /** True if nothing is left to restore. */
  readonly done: boolean;
}

export interface UndoResult {
  readonly id: string;
  readonly restored: number;
}

/** The input of a pass over all users, and of the run that it continues as. */
export interface ConsolidationPassInput {
  readonly users?: number;
  readonly archived?: number;
  readonly failed?: number;
}

export interface ConsolidationPassStep {
  /** Number of users whose memories were consolidated. */
  readonly users: number;
  readonly archived: number;
  /** Number of users whose memories could not be consolidated; absent in steps of earlier builds. */
  readonly failed?: number;
  /** True after the last user. */
  readonly done: boolean;
}

export interface ConsolidationPassResult {
  readonly users: number;
  readonly archived: number;
  /** Number of users whose memories could not be consolidated. */
  readonly failed: number;
}
