import type { ClassificationOptions, Intent } from '../http/intents';

/** Why one query of a batch has no intent. */
export interface BatchProblem {
  /** One of `ERROR_CODES`. */
  readonly code: string;
  readonly message: string;
}

/** One query of a batch. With a problem it is not classified: it was wrong from the start. */
export type BatchQuery = { readonly id: string } & (
  | {
      readonly query: string;
      readonly options: ClassificationOptions;
      /** Whether a model over the network is to classify it. */
      readonly asksModel?: boolean;
    }
  | { readonly problem: BatchProblem }
);

export interface ClassifyBatchInput {
  readonly queries: readonly BatchQuery[];
  /** Most queries classified at once. */
  readonly maxConcurrency: number;
  /** Longest a part of the batch may take, repeats included, milliseconds. */
  readonly partTimeoutMs: number;
  /** The API that started the run allows a provider that a caller named to be at a private or loopback address. */
  readonly allowPrivate?: boolean;
}

/** Input of the activity that classifies a part of a batch. */
export interface ClassifyPartInput {
  /** Which part, from 1; with the run's id it names what was counted. */
  readonly part: number;
  readonly queries: readonly BatchQuery[];
  readonly concurrency: number;
  /** As in the batch. Absent: it is not allowed. */
  readonly allowPrivate?: boolean;
}

/** How one query of a batch ended. */
export type ClassifiedQuery = { readonly id: string } & (
  | {
      readonly intent: Intent;
      /** Milliseconds. */
      readonly time: number;
    }
  | { readonly problem: BatchProblem }
);

/** Queries in one part, at most: enough that the cost of an activity is small beside theirs, and little to repeat. */
export const QUERIES_PER_PART = 25;
/** Parts under way at once, at most: what is classified at once is shared among them. */
export const PARTS_AT_ONCE = 10;
