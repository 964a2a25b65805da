/** What one message says of its author, or of somebody whom its author names. */
export interface SaidFact {
  /** `user`, or who else the fact is about: `sister`, `mia`, `sister's dog`. Lower case. */
  readonly subject: string;
  /** What of the subject: `home`, `employer`, `car`, `phone number`, `likes`. Lower case, singular. */
  readonly attribute: string;
  /** As it was said: `Leeds`. Null if something ends whose value is not said: `I sold my car`. */
  readonly value: string | null;
  /**
   * `holds`: it is so from now on. `ends`: it is so no more. `corrects`: what was said before was never so, and this is. `doubts`:
   * it may be so no more.
   */
  readonly change: 'holds' | 'ends' | 'corrects' | 'doubts';
  /** Whether a subject has one value of this attribute at a time, so that a new value ends the one before. */
  readonly single: boolean;
  /** The value that ends with this one, if it is said: the bike of `I swapped my bike for a scooter`. */
  readonly replaces?: string;
  /** Other words of the clause, and of the facts that it changes, by which a question finds the fact. Stems, with spaces. */
  readonly about?: string;
  /** Whether the attribute is known by name; others are words of the clause, and may be of another thing. */
  readonly certain?: boolean;
  /** Where the clause that says it stands in the message, code units. */
  readonly start: number;
  readonly end: number;
}

/** A fact as all messages together leave it. */
export interface KnownFact {
  readonly id: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly single: boolean;
  readonly about?: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds; absent if it holds now. */
  readonly validTo?: number;
  /** When it was doubted, epoch milliseconds; absent if it was not, or was said again since. */
  readonly doubtedAt?: number;
  /** Whether the attribute is known by name; absent: true. */
  readonly certain?: boolean;
  /** True if it was said, or decided, that it was never so. */
  readonly neverHeld?: boolean;
  /** The fact that took its place. */
  readonly supersededBy?: string;
  /** The memories that say it. */
  readonly sources?: readonly { readonly memoryId: string }[];
}

/** An answer, and the ids of the facts and memories that it rests on. */
export interface FactAnswer {
  readonly text: string;
  readonly factIds: readonly string[];
  readonly sourceIds: readonly string[];
}

/** What somebody takes a part of a message to say. */
export interface Claim {
  /** `user`, or whom else it is about. */
  readonly subject: string;
  /** Whether it is taken to say that something ends, which may be said by a denial. */
  readonly ends: boolean;
  /** The place of the value in the message, code units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Why a claim is no fact. `unreal`: wished or supposed. `unended`: its clause has no word of an end. `reported`: somebody else says
 * it, or it is about somebody else.
 */
export type ClaimProblem = 'asked' | 'unreal' | 'denied' | 'unended' | 'reported';

/** The place of the clause of a claim in its message, and why it is no fact. */
export interface ReadClaim {
  readonly start: number;
  readonly end: number;
  readonly problem?: ClaimProblem;
}

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
