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

/** Why rules answer: no model is configured, another than a model was chosen, or the model failed. */
export type WhyRules = 'not-configured' | 'not-chosen' | 'failed';

/** One call of a tool and what came of it. */
export interface ToolStepResult {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
  /** Why it failed, in a sentence. */
  readonly error?: string;
}

/** A query with remembered values in place of the words for them, or why a value is missing. */
export type FilledByRules =
  | { readonly query: string; readonly unit?: string; readonly sourceIds: readonly string[] }
  | { readonly query?: undefined; readonly reason: string };

/** What answers a turn of a conversation without a language model. Pure functions of texts and a time. */
export interface ConversationRules {
  /** Undefined where no memory answers the query. */
  answerFromMemories(
    query: string,
    memories: readonly RecalledText[],
    now: Date,
  ): { readonly text: string; readonly sourceIds: readonly string[] } | undefined;
  fillFromMemories(query: string, memories: readonly RecalledText[], now: Date): FilledByRules;
  /** Whether a text asks what its author may have told. */
  asksAboutUser(query: string): boolean;
  /** The answer to greetings, thanks and the like; undefined where the query is something else. */
  replyToTalk(query: string, why: WhyRules): string | undefined;
  /** What is said where nothing is known that answers. */
  nothingKnown(
    query: string,
    search: { readonly intent: string; readonly withMemory: boolean; readonly why: WhyRules },
  ): string;
  /** A sentence for each call; `unit` is what the result of a last calculation is in. */
  describeToolResults(query: string, steps: readonly ToolStepResult[], unit?: string): string;
}
