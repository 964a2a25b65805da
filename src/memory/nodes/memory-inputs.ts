import type { EpisodicMemory, SemanticMemory } from '../../contracts/http/memory';
import type { JsonObject } from '../../contracts/json';
import { validationError } from '../../base/errors';
import { jsonLength } from '../../contracts/json-length';

/**
 * The maximum length of what callers keep with a memory besides its texts, characters of JSON. Lists, searches and pictures read
 * hundreds of whole memories into a process that others use too.
 */
const MAX_FREE_FORM = 65_536;

/** Fields that a memory may lack, and that null leaves out. */
const OPTIONAL: ReadonlySet<string> = new Set(['location', 'participants']);

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

/** Adds what a new memory has in the place of defaults; nulls inside of it are kept, because nothing is removed. Pure. */
export function withDefaults(defaults: JsonObject, given: JsonObject = {}): Record<string, unknown> {
  const named = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (value !== null || !OPTIONAL.has(name)),
  );
  return Object.fromEntries([...Object.entries(defaults), ...named]);
}

interface FreeForm {
  readonly context?: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Checks the parts of a memory that have any form.
 * @param before those that it has; longer ones, which an earlier build stored, may stay and become shorter
 * @throws HoldfastError `VALIDATION` naming the longer part
 */
export function checkFreeForm({ context = {}, metadata }: FreeForm, before?: FreeForm): void {
  const length = jsonLength(context) + jsonLength(metadata);
  const allowed = before === undefined ? 0 : jsonLength(before.context ?? {}) + jsonLength(before.metadata);
  if (length <= Math.max(MAX_FREE_FORM, allowed)) return;
  const field = jsonLength(context) > jsonLength(metadata) ? 'context' : 'metadata';
  throw validationError(
    field,
    `is too long: context and metadata have ${length} characters of JSON, and ${MAX_FREE_FORM} are allowed`,
  );
}
