export const MEMORY_KINDS = ['episodic', 'semantic'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** JSON that a store keeps and returns unchanged, without reading it. */
export type MemoryBody = Readonly<Record<string, unknown>>;

/**
 * A memory as a store keeps it. The values by which memories are searched, filtered and ordered have separate fields; those that
 * belong to one kind only (content and context, concept and description, further metadata) are in `body`.
 */
export interface MemoryNode {
  /** A ULID. The caller of the port chooses it, so that a repeated insert changes nothing. */
  readonly id: string;
  readonly kind: MemoryKind;
  readonly userId: string;
  /** Every episodic memory has a session, and no semantic one does. */
  readonly sessionId: string | null;
  /** The time of the event, or when a concept was stored, epoch milliseconds. Lists, filters and statistics go by it. */
  readonly timestamp: number;
  /** When the memory was stored, epoch milliseconds. Memories of earlier builds were stored at their `timestamp`. */
  readonly storedAt: number;
  /** The text that full-text search reads. A store may return a lone surrogate as U+FFFD. */
  readonly text: string;
  /** The tags of an episodic memory, or the category of a semantic one. Filters compare them exactly; there are no repeats. */
  readonly labels: readonly string[];
  /** The importance of an episodic memory, or the confidence of a semantic one; 0 to 1. */
  readonly weight: number;
  readonly body: MemoryBody;
  /** Begins at 1 and rises by one with each change; reads do not raise it. */
  readonly revision: number;
  /** The number of reads, and the time of the last one (epoch milliseconds; null: never). Both are late: see `noteReads`. */
  readonly readCount: number;
  readonly readAt: number | null;
}

/** A vector of unit length in one of the spaces of a store. */
export interface SpaceVector {
  readonly spaceId: number;
  readonly values: Float32Array;
}

/**
 * The place of an episodic memory in its session: directly after one memory, directly before another, or, with neither, at the
 * end. With both, these two must be neighbours, apart from the memory itself. `byTime` places it directly before the earliest memory
 * of the session that is later than it, or else at the end; of two with the same time, the one with the greater id is later. It has
 * no effect beside the other two.
 */
export interface Placement {
  readonly after?: string;
  readonly before?: string;
  readonly byTime?: boolean;
}

export type NewMemoryNode = Omit<MemoryNode, 'revision' | 'readCount' | 'readAt'>;

export interface InsertMemory {
  readonly node: NewMemoryNode;
  /** Null: the graph gets no vector of the memory (yet). */
  readonly vector: SpaceVector | null;
  /** For episodic memories only. Default: at the end of the session. */
  readonly placement?: Placement;
  readonly relations?: readonly NewRelation[];
}

/** The fields that an update may change. An absent field stays unchanged. */
export interface MemoryChange {
  readonly text?: string;
  readonly labels?: readonly string[];
  readonly weight?: number;
  readonly body?: MemoryBody;
  /**
   * Null removes the vector, for example when the text changed and the new vector is stored elsewhere. Absent: the vector stays
   * as long as the text stays the same; a change of the text removes the vectors that were made from the old one.
   */
  readonly vector?: SpaceVector | null;
  readonly placement?: Placement;
  /** All relations that the node has from now on, including its children. Absent: they stay unchanged. */
  readonly relations?: readonly NewRelation[];
  /** Those that `relations` replaces; it has no others, and these stay unchanged. Absent: all. */
  readonly replacedRelations?: readonly TiedAs[];
}

/**
 * `related` has no direction and joins any two memories of a user; `similar` has no direction and joins semantic ones;
 * `parent` leads from a semantic memory to its parent. A memory has at most one parent: if it becomes the child of another
 * memory, it loses its previous parent.
 */
export const RELATION_TYPES = ['related', 'similar', 'parent'] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

export interface NewRelation {
  readonly type: RelationType;
  /**
   * `out`: from this memory; `in`: to it, so that `{ type: 'parent', direction: 'in', id }` makes `id` a child. Types without a
   * direction always count as `out`.
   */
  readonly direction: 'out' | 'in';
  /** The other memory. */
  readonly id: string;
}

/** The relationship of one memory to another. The neighbours in a session count as relationships too. */
export type Relationship = 'previous' | 'next' | 'related' | 'similar' | 'parent' | 'child';

/** A relationship that is a relation, as seen from one of its memories. */
export type TiedAs = Exclude<Relationship, 'previous' | 'next'>;
export const ALL_TIES: readonly TiedAs[] = ['related', 'similar', 'parent', 'child'];

export interface RelatedMemory {
  readonly id: string;
  readonly relationship: Relationship;
}
