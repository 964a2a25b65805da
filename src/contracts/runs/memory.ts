/** The numbers of erased memories, relations and copies. */
export interface ErasedMemories {
  readonly episodic: number;
  readonly semantic: number;
  readonly relations: number;
  /** Copies of memories that a consolidation archived; absent in results of older builds. */
  readonly archived?: number;
}

/** Names an erasure. The user is in the service's own store, so that no history contains the user's id. */
export interface ErasureInput {
  readonly erasureId: string;
}

/** Input of the last step of an erasure. */
export interface ErasureEndInput extends ErasureInput {
  /** What the steps before erased; absent in runs that an older build started. */
  readonly erased?: ErasedMemories & { readonly runs: number };
}

/** Builds the workflow id of an erasure that is a child of another run. */
export function childErasureId(workflowId: string): string {
  return `${workflowId}/erasure`;
}

/** The outcome of one step of an erasure. */
export interface ErasureStep extends ErasedMemories {
  /** True if nothing is left to erase. */
  readonly done: boolean;
}

/** The outcome of the last step of an erasure. */
export interface ErasureEnd {
  /** Number of stores that were in use before, and may still hold memories of the user. */
  readonly unreached: number;
}

/** The outcome of one step of erasing a user's runs. */
export interface RunErasureStep {
  readonly runs: number;
  /** True if no run is left to erase. */
  readonly done: boolean;
}

/** The result of a whole erasure. */
export interface ErasureResult extends ErasedMemories, ErasureEnd {
  /** Number of conversation turns whose runs were deleted, with their histories. */
  readonly runs: number;
  /** Id of the receipt; absent in results of older builds. */
  readonly receipt?: string;
}

/** The embedding model that the memories get vectors of, and its vector space. */
export interface ReindexTarget {
  readonly spaceId: number;
  /** The model's name with its provider. */
  readonly model: string;
  readonly dimensions: number;
  /** True if the memories are in this space already, so that nothing is to be done. */
  readonly isCurrent: boolean;
  /** Identifies the stores whose memories are embedded again; absent in runs of older builds. */
  readonly store?: string;
}

export interface ReindexPageInput {
  readonly spaceId: number;
  readonly store?: string;
  /** Id of the last memory of the page before. */
  readonly after?: string;
}

export interface ReindexPage {
  /** How many memories got a vector. */
  readonly moved: number;
  /** Id after which the next page begins; absent after the last page. */
  readonly after?: string;
}

/** The next memories whose words are to be indexed as this build does. */
export interface ReindexWordsInput {
  /** Looks at all memories even if they count as indexed. */
  readonly again?: boolean;
  /** Id of the last memory of the page before. */
  readonly after?: string;
  /** The stores that the page before was of. */
  readonly store?: string;
}

export interface ReindexWordsPage {
  /** How many memories were indexed anew. */
  readonly renewed: number;
  /** Id after which the next page begins; absent after the last page. */
  readonly after?: string;
  readonly store?: string;
}

export interface ReindexResult {
  readonly model: string;
  readonly dimensions: number;
  readonly moved: number;
  /** How many memories had their words indexed anew; absent in results of older builds. */
  readonly renewed?: number;
}

/** The result of a run that only indexes words. */
export type ReindexWordsResult = Required<Pick<ReindexResult, 'renewed'>>;

/** The input of a reindexing, and of the run that it continues as. */
export interface ReindexInput {
  /** Embeds all memories again even if they have vectors of this model. */
  readonly again?: boolean;
  /** Only indexes words, which needs no embedding model. */
  readonly wordsOnly?: boolean;
  /** How far the run is with the words, which it indexes before it moves vectors. */
  readonly words?: ReindexWordsPage & { readonly done: boolean };
  readonly target?: ReindexTarget;
  readonly moved?: number;
  readonly after?: string;
}
