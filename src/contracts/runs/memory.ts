/** What an erasure took away. */
export interface ErasedMemories {
  readonly episodic: number;
  readonly semantic: number;
  readonly relations: number;
}

/** Names an erasure; whose memories it takes away stands in the service's own store, so that no history tells. */
export interface ErasureInput {
  readonly erasureId: string;
}

/** The workflow id of an erasure that is part of another run. */
export function childErasureOf(workflowId: string): string {
  return `${workflowId}/erasure`;
}

/** A stretch of an erasure. */
export interface ErasureStep extends ErasedMemories {
  /** Nothing was left. */
  readonly done: boolean;
}

/** How an erasure ended. */
export interface ErasureEnd {
  /** Stores that were in use before and could not be reached. */
  readonly unreached: number;
}

/** A stretch of the erasure of a user's runs. */
export interface RunErasureStep {
  readonly runs: number;
  /** None was left. */
  readonly done: boolean;
}

/** What a whole erasure did. */
export interface ErasureResult extends ErasedMemories, ErasureEnd {
  /** Turns of conversation, whose histories are gone with all they carried. */
  readonly runs: number;
}

/** The embedding model that memories are moved to. */
export interface ReindexTarget {
  readonly spaceId: number;
  /** With its provider. */
  readonly model: string;
  readonly dimensions: number;
  /** The memories are there already, and stay there. */
  readonly isCurrent: boolean;
  /** Stands for the stores whose memories are moved; absent in runs of former code. */
  readonly store?: string;
}

export interface ReindexPageInput {
  readonly spaceId: number;
  readonly store?: string;
  /** Id of the last memory that was looked at. */
  readonly after?: string;
}

export interface ReindexPage {
  /** How many memories got a vector. */
  readonly moved: number;
  /** Where the next page begins; absent behind the last one. */
  readonly after?: string;
}

export interface ReindexResult {
  readonly model: string;
  readonly dimensions: number;
  readonly moved: number;
}

/** What a reindexing begins with, or goes on with in a new run. */
export interface ReindexInput {
  /** Makes the vectors anew also where the model is that of the memories. */
  readonly again?: boolean;
  readonly target?: ReindexTarget;
  readonly moved?: number;
  readonly after?: string;
}
