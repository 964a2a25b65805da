export const MEMORY_KINDS = ['episodic', 'semantic'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** JSON that a store keeps and gives back as it was, without looking into it. */
export type MemoryBody = Readonly<Record<string, unknown>>;

/**
 * A memory as a store keeps it. What is searched, filtered and ordered by stands in fields of its own; all that
 * belongs to one kind alone (content and context, concept and description, further metadata) is in `body`.
 */
export interface MemoryNode {
  /** A ULID, chosen by the caller of the port, so that a repeated insert changes nothing. */
  readonly id: string;
  readonly kind: MemoryKind;
  readonly userId: string;
  /** Of an episodic memory always, of a semantic one never. */
  readonly sessionId: string | null;
  /** When it was made, epoch milliseconds. */
  readonly timestamp: number;
  /** What full-text search reads. A lone surrogate may come back as U+FFFD. */
  readonly text: string;
  /** Tags of an episodic memory; of a semantic one its category alone. Exact, case included; no repeats. */
  readonly labels: readonly string[];
  /** Importance of an episodic memory, confidence of a semantic one; 0 to 1. */
  readonly weight: number;
  readonly body: MemoryBody;
  /** Counts from 1 and rises by one a change; reads do not raise it. */
  readonly revision: number;
  /** How often it was read, and when last (epoch milliseconds; null: never). Counted late, see `noteReads`. */
  readonly readCount: number;
  readonly readAt: number | null;
}

/** A vector in one of the spaces of a store, of unit length. */
export interface SpaceVector {
  readonly spaceId: number;
  readonly values: Float32Array;
}

/**
 * Where an episodic memory goes in its session: right behind one memory, right before another (with both: these
 * must be neighbours, the memory itself not counted), or, with neither, at the end.
 */
export interface Placement {
  readonly after?: string;
  readonly before?: string;
}

export type NewMemoryNode = Omit<MemoryNode, 'revision' | 'readCount' | 'readAt'>;

export interface InsertMemory {
  readonly node: NewMemoryNode;
  /** Null: the memory has no vector here (yet). */
  readonly vector: SpaceVector | null;
  /** Episodic only. Absent: at the end of the session. */
  readonly placement?: Placement;
  readonly relations?: readonly NewRelation[];
}

/** The fields that an update may change. An absent one stays. */
export interface MemoryChange {
  readonly text?: string;
  readonly labels?: readonly string[];
  readonly weight?: number;
  readonly body?: MemoryBody;
  /**
   * Null takes the vector away, as when the text changed and the new vector is kept elsewhere. Absent: it stays as
   * long as the text does; a text that becomes another one ends the vectors that were made from it.
   */
  readonly vector?: SpaceVector | null;
  readonly placement?: Placement;
  /** All relations, children included, that the node shall have from now on; absent: they stay. */
  readonly relations?: readonly NewRelation[];
}

/**
 * `related` goes both ways, between any two memories of a user; `similar` both ways, between semantic ones;
 * `parent` leads from a semantic memory to its parent, of which it has one at most: a memory that becomes the child
 * of another leaves the parent it had.
 */
export const RELATION_TYPES = ['related', 'similar', 'parent'] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

export interface NewRelation {
  readonly type: RelationType;
  /**
   * `out`: from this memory; `in`: to it, so that `{ type: 'parent', direction: 'in', id }` makes `id` a child. Of
   * no meaning for the types that go both ways, which count as `out`.
   */
  readonly direction: 'out' | 'in';
  /** The other memory. */
  readonly id: string;
}

/** What one memory is to another. The neighbours of a session are told as relations too. */
export type Relationship = 'previous' | 'next' | 'related' | 'similar' | 'parent' | 'child';

export interface RelatedMemory {
  readonly id: string;
  readonly relationship: Relationship;
}
