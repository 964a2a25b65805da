import type { ClassificationOptions, Intent } from '../http/intents';
import type { TokenUsage } from '../http/llm';

/** Why one query of a batch has no intent. */
export interface BatchProblem {
  /** One of `ERROR_CODES`. */
  readonly code: string;
  readonly message: string;
}

/** One query of a batch. A query with a problem was rejected as invalid and is not classified. */
export type BatchQuery = { readonly id: string } & (
  | {
      readonly query: string;
      readonly options: ClassificationOptions;
      /** Whether a model is to classify it over the network. */
      readonly asksModel?: boolean;
    }
  | { readonly problem: BatchProblem }
);

export interface ClassifyBatchInput {
  readonly queries: readonly BatchQuery[];
  /** Maximum number of queries that are classified at once. */
  readonly maxConcurrency: number;
  /** Time limit of a part of the batch with all its retries, milliseconds. */
  readonly partTimeoutMs: number;
  /** The API that started the run allows a provider that a caller named to be at a private or loopback address. */
  readonly allowPrivate?: boolean;
}

/** Input of the activity that classifies a part of a batch. */
export interface ClassifyPartInput {
  /** Number of the part, from 1. With the run's id it is the key of the count. */
  readonly part: number;
  readonly queries: readonly BatchQuery[];
  readonly concurrency: number;
  /** As in the batch. Absent: it is not allowed. */
  readonly allowPrivate?: boolean;
}

/** The outcome of one query of a batch. */
export type ClassifiedQuery = { readonly id: string } & (
  | {
      readonly intent: Intent;
      /** Milliseconds. */
      readonly time: number;
      /** Absent if no model was asked. */
      readonly usage?: TokenUsage;
    }
  | { readonly problem: BatchProblem }
);

/** A part has up to this number of queries: enough to make the cost of an activity small, and few enough to repeat. */
export const QUERIES_PER_PART = 25;
/** Up to this number of parts run at once; they share the batch's `maxConcurrency`. */
export const PARTS_AT_ONCE = 10;
