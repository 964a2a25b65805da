import type { TurnMessage } from '../../contracts/runs/turns';
import { CONVERSATION_TAG, NOTHING_KNOWN_TAG } from '../../contracts/http/conversations';
import { shorten } from '../../contracts/json';
import type { EpisodicMemory } from '../../contracts/http/memory';
import type { EpisodicMemories } from './episodic';

/** What a user says tells more about the user than the answers do. */
const IMPORTANCE = { user: 0.5, assistant: 0.3 } as const;

/** The messages of conversations: episodic memories of a tag, in the order in which they were said. */
export interface Messages {
  /**
   * Stores messages, those that are there already excepted, and what is too long cut. In the order given. An abort by `signal`
   * stores no further one and rejects with the signal's reason.
   * @throws what `EpisodicMemories.create` throws
   */
  store(messages: readonly TurnMessage[], signal?: AbortSignal): Promise<EpisodicMemory[]>;
}

/** @param maxLength of a message, characters */
export function createMessages(episodic: Pick<EpisodicMemories, 'create'>, maxLength: number): Messages {
  return {
    async store(messages, signal) {
      const stored: EpisodicMemory[] = [];
      // One after another: each goes behind the one before.
      for (const { id, userId, sessionId, role, content, timestamp, turn, nothingKnown } of messages) {
        signal?.throwIfAborted();
        const tags = nothingKnown === true ? [CONVERSATION_TAG, NOTHING_KNOWN_TAG] : [CONVERSATION_TAG];
        const memory = {
          userId,
          sessionId,
          content: shorten(content, maxLength),
          context: { turn },
          metadata: { source: role, importance: IMPORTANCE[role], tags },
        };
        stored.push(await episodic.create(memory, { id, timestamp }));
      }
      return stored;
    },
  };
}
