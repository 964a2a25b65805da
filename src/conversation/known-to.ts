import type { Fact } from '../contracts/facts';
import type { Recalled } from '../contracts/http/conversations';
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

/** What a model may read of the user. */
export interface Known {
  /** What holds, as a text; empty where there is nothing. */
  readonly facts: string;
  readonly memories: Recalled;
}

/**
 * Selects what a model reads of memory: nothing that holds no more, and no replies that only repeat it. A turn of one session
 * alone gets no facts, which all sessions of a user share. Pure.
 * @param facts those of the user, of all times
 * @param now epoch milliseconds
 */
export function knownTo(recalled: Recalled, facts: readonly Fact[], turn: ReadingTurn, now: number): Known {
  const standing = standingMemories(recalled, facts, false);
  return {
    facts: turn.crossSession === false ? '' : factsText(facts, turn.query, now),
    memories: withoutRepeatingReplies(standing, facts, turn),
  };
}
