import type { Fact } from '../contracts/facts';
import type { Recalled } from '../contracts/http/conversations';
import { contextText, type ContextText } from './context-text';
import { factsText } from './facts-text';
import { withoutRepeatingReplies } from './repeating-replies';
import { standingMemories } from './standing-memories';

/** The turn for which a model reads memory. */
export interface ReadingTurn {
  readonly query: string;
  /** Absent in runs of earlier builds. */
  readonly sessionId?: string | undefined;
  /** As in `RecallQuery`; absent: true. */
  readonly crossSession?: boolean | undefined;
}

/** What a model reads of the user: what holds, and the memories that fit. Each text is empty where there is nothing. */
export interface KnownTexts {
  readonly facts: string;
  readonly memories: ContextText;
}

/**
 * Builds the texts of memory for a model, without what holds no more. A turn of one session alone gets no facts, which all
 * sessions of a user share. Pure.
 * @param facts those of the user, of all times
 * @param now epoch milliseconds
 */
export function knownTexts(
  recalled: Recalled,
  facts: readonly Fact[],
  turn: ReadingTurn,
  now: number,
): KnownTexts {
  const standing = standingMemories(recalled, facts, false);
  return {
    facts: turn.crossSession === false ? '' : factsText(facts, turn.query, now),
    memories: contextText(withoutRepeatingReplies(standing, facts, turn)),
  };
}
