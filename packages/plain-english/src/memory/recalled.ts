/** A memory as the rules read it. */
export interface RecalledText {
  readonly id: string;
  readonly kind: 'episodic' | 'semantic';
  readonly text: string;
  /** ISO 8601 */
  readonly timestamp?: string;
  readonly role?: 'user' | 'assistant';
  readonly sessionId?: string;
  /** 0 to 1 */
  readonly relevance: number;
}

/** An answer and the ids of the memories that support it. */
export interface MemoryAnswer {
  readonly text: string;
  readonly sourceIds: readonly string[];
}
