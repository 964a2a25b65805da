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

/** Whom or what a sentence is about. */
export interface Subject {
  /** `user` for the one who speaks (I, we), `assistant` for whom they speak to, `other` for all else. */
  readonly who: 'user' | 'assistant' | 'other';
  /** Concepts of its words: of `my elder sister`, elder and sister. */
  readonly terms: readonly string[];
  /** Those that name somebody: relatives, friends, names. Of `my sister's birthday`, sister. */
  readonly persons: readonly string[];
  /** True for `my …` and `our …`. */
  readonly mine: boolean;
}

/** One thing that a memory states. */
export interface Statement {
  readonly memory: RecalledText;
  /** Epoch ms, -Infinity where not known. */
  readonly at: number;
  /** Later statements of one memory have higher ones. */
  readonly order: number;
  readonly subject: Subject;
  /** What is said of the subject: a canonical verb, or `name`, `age`, `job`, `home`, `birthday`. */
  readonly relation: string;
  readonly negated: boolean;
  /** Was so and is no more: `I used to smoke`. */
  readonly ended: boolean;
  /** Told in the past tense. */
  readonly past: boolean;
  /** Concepts of all its words. */
  readonly terms: ReadonlySet<string>;
  /** What follows the verb, split where several things are listed. */
  readonly objects: readonly Phrase[];
  /** The whole clause. */
  readonly clause: Phrase;
  /** The clause in the second person, as an answer says it. */
  readonly tell: () => string;
}

/** Some words of a sentence. */
export interface Phrase {
  readonly text: string;
  readonly words: readonly string[];
}

export type Wanted =
  'what' | 'who' | 'where' | 'when' | 'amount' | 'often' | 'whether' | 'age' | 'name' | 'about';

/** What a question wants to know. */
export interface Question {
  readonly wanted: Wanted;
  readonly subject: Subject;
  /** The canonical verb, or an attribute; undefined where any will do. */
  readonly relation: string | undefined;
  /** The time that is asked about, where it shows: `did I`, `am I going to`. */
  readonly tense: 'past' | 'future' | undefined;
  /** Concepts that a statement has to have. */
  readonly terms: readonly string[];
  /** Concepts of which a statement has to have one: `tea or coffee`. */
  readonly anyOf: readonly string[];
  /** What the answer has to be a kind of: drink, instrument. */
  readonly kind: string | undefined;
  /** What is counted or measured: litre, euro. */
  readonly unit: string | undefined;
  /** False for dislikes asked for: `what do I not like`. */
  readonly positive: boolean;
}
