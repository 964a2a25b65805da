import type { BudgetLimits } from '../http/budgets';
import type { Approval, OnDeadline, OnDenied } from '../http/approvals';
import type { CarriedSchema } from '../http/tool-schemas';

/** Which calls of a run wait for a person, and for how long. */
export interface ApprovalPolicy {
  /** Besides tools that were registered so: these by name, all, or those that may change something. */
  readonly tools: readonly string[] | 'all' | 'changing';
  /** How long a call waits, milliseconds. */
  readonly deadlineMs: number;
  readonly onDeadline: OnDeadline;
  /** Whether a denied call ends a run that plans; absent: the planner reads the denial. */
  readonly onDenied?: OnDenied | undefined;
  /** Whether the server has the search attribute by which a run that waits is listed. */
  readonly isListed: boolean;
  /** Names of credentials besides the built-in ones, whose values no question shows. */
  readonly hiddenNames?: readonly string[];
}

/** What the author of a workflow says about a step that waits for a person. */
export interface StepApproval {
  readonly message?: string | undefined;
  readonly deadlineMs?: number | undefined;
  readonly onDeadline?: OnDeadline | undefined;
  /** `continue`: the step is skipped. */
  readonly onDenied?: OnDenied | undefined;
}

/** What a person is asked about: the call of a tool, or, without a tool's name, the prompt of a model. */
export interface CallToApprove extends CarriedSchema {
  readonly toolName?: string;
  /** What the person is asked, with its templates filled in. */
  readonly message?: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The workflow type of an approval. Each is a run of its own, a child of the run that waits for it. */
export const APPROVAL_TYPE = 'approval';
/** The update by which an approval is answered. */
export const ANSWER_UPDATE = 'answer';
/** The memo fields of an approval's run: what is asked, and how it was answered. */
export const QUESTION_MEMO = 'question';
export const OUTCOME_MEMO = 'outcome';

/** The memo field of a run that may wait for a person. */
export const MAY_PAUSE_MEMO = 'mayPause';

/** What a person is asked. Other arguments are checked by the schema. */
export interface ApprovalQuestion extends CarriedSchema {
  readonly kind: Approval['kind'];
  /** The run that waits: the first run of its chain. */
  readonly runId: string;
  /** Name of the call within the run. */
  readonly step: string;
  /** Absent for a step that asks a model. */
  readonly toolName?: string;
  /** What the author of a workflow says about the step, filled in; in runs of earlier builds with its templates. */
  readonly message?: string;
  /** A note of their length if they are long. */
  readonly args: unknown;
  /** ISO 8601, by the clock of the Temporal server. */
  readonly requestedAt: string;
  readonly deadline: string;
  readonly onDeadline: OnDeadline;
}

/** A person's answer. */
export interface ApprovalAnswer {
  readonly decision: 'approve' | 'deny';
  /** The limits that a run has from then on; those that are absent stay. */
  readonly budget?: BudgetLimits;
  /** Replaces all arguments of the call. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly comment?: string;
  /** What a tool gave that the caller runs. */
  readonly output?: unknown;
  /** Stands for the output where answers are compared, which the memo does not keep. */
  readonly outputDigest?: string;
  /** Who answered, as the caller of the API says. */
  readonly by?: string;
}

/** How an approval ended. */
export interface ApprovalOutcome extends ApprovalAnswer {
  readonly status: 'approved' | 'denied' | 'expired';
  /** ISO 8601; absent if no answer came. */
  readonly answeredAt?: string;
}
