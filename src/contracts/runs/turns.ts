import type { Degradation, MessageRole, Recalled, SessionName, ToolOutcome } from '../http/conversations';
import type { TokenUsage } from '../http/llm';
import type { IntentType } from '../intent-types';
import type { ModelChoice, ModelLimits } from './workflows';

/**
 * A message as it is kept. Id and time are chosen before it is stored, so that storing it again changes nothing and the
 * messages of a session have the order in which they were said.
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
  /** True of an answer that says nothing but that nothing is known. */
  readonly nothingKnown?: boolean;
}

/** What a turn looks for in memory. */
export interface RecallQuery extends SessionName {
  readonly text: string;
  /** Looked for as well, each by itself. */
  readonly terms: readonly string[];
  /** Most memories of both kinds together. */
  readonly limit: number;
  /** Least relevance, 0 to 1; absent: what is usual for each kind. */
  readonly threshold?: number;
  /** False: of events, only those of this session. What is known of a user belongs to no session. */
  readonly crossSession: boolean;
  /** Most messages of the session, the latest ones, that are returned whatever they say. */
  readonly recent: number;
  /** Whether the query is expanded by words related to those of the text, for rules that only compare words. */
  readonly widely: boolean;
  readonly withVectors: boolean;
}

/** A query whose remembered parts are replaced by what memory has, or why they could not be. */
export type FilledQuery =
  | {
      readonly query: string;
      /** What the values count or measure. */
      readonly unit?: string;
      /** Ids of the memories that the values come from. */
      readonly sources: readonly string[];
    }
  | { readonly query?: undefined; readonly reason: string };

/** Input of the activity that answers. */
export interface AnswerInput {
  readonly query: string;
  /** Absent where nothing was classified. */
  readonly intent?: IntentType;
  readonly recalled: Recalled;
  readonly tools: readonly ToolOutcome[];
  /** What the tools worked on, where that is not the query itself. */
  readonly filled?: FilledQuery;
  /** Why the tools that were needed were not run, where they were not. */
  readonly toolProblem?: string;
  readonly choice: ModelChoice;
  /** True where rules were chosen because a model has failed in this turn. */
  readonly modelFailed?: boolean;
  readonly limits: ModelLimits;
  /** Epoch milliseconds by the engine's clock. */
  readonly deadline: number;
  /** Whether memory was asked at all. */
  readonly withMemory: boolean;
}

/** What there is to answer from. */
export type AnswerRequest = Omit<AnswerInput, 'limits' | 'deadline'>;

export interface TurnAnswer {
  readonly text: string;
  /** The memories that the answer rests on, where that is known. */
  readonly sources: readonly string[];
  /** What the model was given of memory. */
  readonly context: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: TokenUsage;
  /** Milliseconds. */
  readonly time: number;
  readonly degraded: readonly Degradation[];
  /** True where it says nothing but that nothing is known. */
  readonly nothingKnown?: boolean;
}

/** A place in a session, as a turn behind it waits for it. */
export interface EarlierTurn {
  readonly workflowId: string;
  /** When the place was taken, epoch milliseconds. Tells places of one run apart. */
  readonly placedAt: number;
  /** The turn before that one, which may still be under way when this one was cut off or never started. */
  readonly after?: EarlierTurn;
}

/** Limits of the steps of a turn that memory takes. */
export interface MemoryLimits {
  /** Longest that recalling or storing may take, repeats included, milliseconds. */
  readonly timeoutMs: number;
}
