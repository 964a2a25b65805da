import type { Degradation, MessageRole, Recalled, SessionName, ToolOutcome } from '../http/conversations';
import type { HeldFact } from '../facts';
import type { RunUsage } from '../http/budgets';
import type { TokenUsage } from '../http/llm';
import type { FileHead, TurnFile } from '../http/files';
import type { JsonSchema } from '../http/tools';
import type { IntentType } from '../intent-types';
import type { BudgetPolicy, ModelAllowance } from './budgets';
import type { ModelChoice, ModelLimits } from './workflows';

/**
 * A request that has not started its turn this long after it took a place gives the place up, milliseconds. A single
 * process measures this, so clocks of other machines do not matter.
 */
export const TURN_START_LIMIT_MS = 8_000;
/**
 * A turn that has no run when its place is this old will never have one, milliseconds. The margin is for differences
 * between the clocks of machines, and for a request to Temporal that is in flight.
 */
export const PLACE_GIVEN_UP_AFTER_MS = 14_000;
/** A place of this age was given up even if the clocks of two machines differ much, milliseconds. */
export const PLACE_LONG_PAST_MS = 60_000;

/** It is apart from the schemas, because modules that a workflow imports are evaluated for every run. */
export const NOTHING_RECALLED: Recalled = { episodic: [], semantic: [], recent: [], degraded: [], time: 0 };

/**
 * A message as it is stored. Its id and time are chosen before it is stored, so that storing it again changes nothing,
 * and the messages of a session keep their order.
 */
export interface TurnMessage extends SessionName {
  /** A ULID. */
  readonly id: string;
  readonly role: MessageRole;
  readonly content: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** The workflow id of its turn. */
  readonly turn: string;
  /** True for an answer that only says that nothing is known. */
  readonly nothingKnown?: boolean;
}

/** What a turn searches memory for. Stored histories have these fields, so their names stay. */
export interface RecallQuery extends SessionName {
  readonly text: string;
  /** Further terms, each searched by itself. */
  readonly terms: readonly string[];
  /** Maximum number of memories of both kinds together. */
  readonly limit: number;
  /** Minimum relevance, 0 to 1; absent: the default of each kind. */
  readonly threshold?: number;
  /** False: only events of this session are recalled. Semantic memories belong to no session. */
  readonly crossSession: boolean;
  /** Only memories that were made by this time are recalled, epoch milliseconds; absent: all. */
  readonly asOf?: number | undefined;
  /** Number of the session's latest messages that are returned independent of their content. */
  readonly recent: number;
  readonly withVectors: boolean;
}

/** The part of a recall query that the caller chooses; the workflow adds the rest. */
export type RecallOptions = Omit<RecallQuery, keyof SessionName | 'text'>;

/** A message of the conversation before a turn, as its caller has sent it with the turn. */
export interface EarlierMessage {
  readonly role: MessageRole;
  readonly content: string;
}

/** What the inputs of all turns have, whichever conversation they belong to. */
export interface TurnInput extends SessionName {
  /** ULIDs under which the turn stores message and answer. */
  readonly messageIds: Readonly<Record<MessageRole, string>>;
  /** The turn before this one in its session; present if that may still be running. */
  readonly after?: EarlierTurn;
  /** Absent: memory is not searched. */
  readonly recall?: RecallOptions;
  readonly choice: ModelChoice;
  readonly modelLimits: ModelLimits;
  readonly memoryLimits: MemoryLimits;
  /** What the caller wants of every answer; absent: nothing in particular. */
  readonly instructions?: string;
  /** Absent in turns of earlier builds, which have no limits. */
  readonly budget?: BudgetPolicy;
}

/** What the results of all turns have. */
export interface TurnResult {
  /** Ids of the memories that the answer is based on, if that is known. */
  readonly sources: readonly string[];
  /** The facts that it is based on, if that is known; absent in results of earlier builds. */
  readonly facts?: readonly HeldFact[];
  readonly provider: string;
  readonly model: string;
  /** The tokens of planning and answering. */
  readonly usage: TokenUsage;
  /** What the whole turn used; absent in results of earlier builds. */
  readonly runUsage?: RunUsage;
  readonly degraded: readonly Degradation[];
  /** Present if the model's answer was cut off at its maximum length. */
  readonly finishReason?: 'length';
}

/** Input of the activity that writes the answer. */
export interface AnswerInput {
  /** Whose facts the answer may rest on; absent in runs that an older build started. */
  readonly userId?: string;
  /** Absent in runs that an older build started. */
  readonly sessionId?: string;
  readonly query: string;
  /** As in `AgentTurnInput`. */
  readonly files?: readonly FileHead[] | undefined;
  /** Absent if nothing was classified. */
  readonly intent?: IntentType;
  readonly recalled: Recalled;
  readonly tools: readonly ToolOutcome[];
  /** Why the tools that the query needs were not run; present if they were not. */
  readonly toolProblem?: string;
  readonly choice: ModelChoice;
  /** True if rules answer because a model has failed in this turn. */
  readonly modelFailed?: boolean;
  readonly limits: ModelLimits;
  /** Epoch milliseconds by the clock of the Temporal server. */
  readonly deadline: number;
  /** Whether memory was searched. */
  readonly withMemory: boolean;
  /** As in `RecallQuery`; absent: true. */
  readonly crossSession?: boolean;
  /** As in `TurnInput`. */
  readonly instructions?: string;
  /** As in `AgentTurnInput`. */
  readonly responseSchema?: JsonSchema;
  /** As in `AgentTurnInput`. */
  readonly earlier?: readonly EarlierMessage[] | undefined;
  /** As in `PlanInput`. */
  readonly allowance?: ModelAllowance | undefined;
}

/** The part of the input that the answer is written from. */
export interface AnswerRequest extends Omit<AnswerInput, 'limits' | 'deadline' | 'files'> {
  /** What the user has sent with the query; absent: nothing. Only models read files. */
  readonly files?: readonly TurnFile[] | undefined;
}

export interface TurnAnswer {
  readonly text: string;
  /** Ids of the memories that the answer is based on, if that is known. */
  readonly sources: readonly string[];
  /** The facts that the answer rests on, if that is known. */
  readonly facts?: readonly HeldFact[];
  /** The text of memories that the model was given. */
  readonly context: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: TokenUsage;
  /** Milliseconds. */
  readonly time: number;
  readonly degraded: readonly Degradation[];
  /** True if the answer only says that nothing is known. */
  readonly nothingKnown?: boolean;
  /** The value of `text`; present if the answer was asked for by a schema. */
  readonly output?: unknown;
  /** As in `TurnResult`. */
  readonly finishReason?: 'length';
}

/** The place of a turn in its session, as a later turn waits for it. */
export interface EarlierTurn {
  readonly workflowId: string;
  /** When the place was taken, epoch milliseconds. It distinguishes several places of one run. */
  readonly placedAt: number;
  /** The turn before that turn. It may still run if that turn was cut off or never started. */
  readonly after?: EarlierTurn;
}

/** Limits of the memory steps of a turn. */
export interface MemoryLimits {
  /** Time limit of recalling and of storing, each with all its retries, milliseconds. */
  readonly timeoutMs: number;
}
