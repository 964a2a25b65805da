import type { EpisodicMemory, SemanticMemory } from '../../contracts/http/memory';

/** `null` removes an optional field; a field that is absent stays as it is. */
type Patch<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined } & {
  readonly [other: string]: unknown;
};

export interface EpisodicRelationships {
  readonly previous?: string | null | undefined;
  readonly next?: string | null | undefined;
  readonly related?: readonly string[] | undefined;
}

export interface SemanticRelationships {
  readonly similar?: readonly string[] | undefined;
  readonly parent?: string | null | undefined;
  readonly children?: readonly string[] | undefined;
  readonly related?: readonly string[] | undefined;
}

export interface NewEpisodic {
  readonly userId: string;
  readonly sessionId: string;
  /** The time of the event, ISO 8601 with a zone. Default: when it is stored. */
  readonly timestamp?: string | undefined;
  readonly content: string;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Patch<EpisodicMemory['metadata']> | undefined;
  readonly relationships?: EpisodicRelationships | undefined;
}

export type EpisodicPatch = Partial<Omit<NewEpisodic, 'userId' | 'sessionId' | 'timestamp'>>;

export interface NewSemantic {
  readonly userId: string;
  readonly concept: string;
  readonly description: string;
  readonly metadata?: Patch<SemanticMemory['metadata']> | undefined;
  readonly relationships?: SemanticRelationships | undefined;
}

export type SemanticPatch = Partial<Omit<NewSemantic, 'userId'>>;

/** ISO 8601 times, both ends included. */
export interface TimeRange {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

export interface ScoreRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}
