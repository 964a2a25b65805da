import type { Fact, SaidFact } from '../contracts/facts';
import type { FactRules } from '../memory/facts/facts';

/** A memory in the form that the rules read. */
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
export type FallbackReason = 'not-configured' | 'not-chosen' | 'failed';

/** One call of a tool and its outcome. */
export interface ToolStepResult {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
  /** Why it failed, in a sentence. */
  readonly error?: string;
}

/** Rules that answer a turn of a conversation without a language model. They are pure functions of texts and a time. */
export interface ConversationRules {
  /** Undefined if no memory answers the query. What an assistant said never does. */
  answerFromMemories(
    query: string,
    memories: readonly RecalledText[],
    now: Date,
  ): { readonly text: string; readonly sourceIds: readonly string[] } | undefined;
  readonly factsVersion: FactRules['factsVersion'];
  /** @param known the facts that hold before the message, the latest first */
  readFacts(message: string, known: readonly Fact[]): readonly SaidFact[];
  readClaim: FactRules['readClaim'];
  /**
   * Answers with the value that holds. Undefined if no fact has what is asked for.
   * @param facts of all times, in the order in which they began
   */
  answerFromFacts(
    query: string,
    facts: readonly Fact[],
  ):
    | { readonly text: string; readonly factIds: readonly string[]; readonly sourceIds: readonly string[] }
    | undefined;
  /** Whether a text asks about something that its author may have said before. */
  asksAboutUser(query: string): boolean;
  /** The answer to greetings, thanks and the like; undefined if the query is something else. */
  replyToTalk(query: string, why: FallbackReason): string | undefined;
  /** The answer if nothing is known that answers the query. */
  nothingKnown(
    query: string,
    search: { readonly intent: string; readonly withMemory: boolean; readonly why: FallbackReason },
  ): string;
  /** One sentence for each call. */
  describeToolResults(query: string, steps: readonly ToolStepResult[]): string;
}
