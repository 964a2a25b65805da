import type { TokenUsage } from '../http/llm';
import type { ModelPrice } from './budgets';
import type { ModelChoice } from './workflows';

/** The numbers of users and memories whose facts were drawn anew. */
export interface RedrawFactsResult {
  readonly users: number;
  readonly memories: number;
  /** Users whose facts could not be drawn anew. */
  readonly failed: number;
}

/** Input of a run that draws facts anew: what the runs before it have done, if it continues one. */
export type RedrawFactsInput = Partial<RedrawFactsResult>;

export interface RedrawFactsStep extends RedrawFactsResult {
  /** Whether no memories are left. */
  readonly done: boolean;
}

/** Input of a run that draws facts by a model. It has neither the user's id nor any text of theirs. */
export interface DrawFactsInput {
  /** The pseudonym of the user in the log of facts. */
  readonly owner: string;
  readonly choice: ModelChoice;
  /** Time limit of a model call, milliseconds. */
  readonly timeoutMs: number;
  /** The price of the model, as it was when the run began; absent if it has none. */
  readonly price?: ModelPrice;
}

/** The outcome of one memory. */
export interface DrawFactsStep {
  /** False if no memory was due. */
  readonly read: boolean;
  readonly drawn: number;
  /** How many facts of the model were dropped, by why (`REFUSALS` of the check). */
  readonly refused: Readonly<Record<string, number>>;
  /** The code of the failure if the model gave no facts. */
  readonly failed?: string;
  readonly usage: TokenUsage;
}

/** The numbers of memories and facts of a whole run. */
export interface DrawFactsResult {
  readonly memories: number;
  readonly drawn: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Memories whose facts are those of the rules alone, because the model failed. */
  readonly failed: number;
  readonly usage: TokenUsage;
}
