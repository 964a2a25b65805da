import type { TurnMessage } from '../../contracts/runs/turns';
import { CONVERSATION_TAG, NOTHING_KNOWN_TAG } from '../../contracts/http/conversations';
import { shorten } from '../../contracts/json';
import type { EpisodicMemory } from '../../contracts/http/memory';
import { IMPORTANCE } from '../nodes/message-importance';
import type { EpisodicMemories } from './episodic';

/** Stores the messages of conversations: episodic memories with a tag, in the order in which they were said. */
export interface Messages {
  /**
   * Stores messages in the given order, except those that are stored already, and cuts those that are too long. After
   * an abort by `signal` it stores no further message and rejects with the signal's reason.
   * @throws what `EpisodicMemories.create` throws
   */
  store(messages: readonly TurnMessage[], signal?: AbortSignal): Promise<EpisodicMemory[]>;
}

/** @param maxLength the maximum length of a message, characters */
export function createMessages(episodic: Pick<EpisodicMemories, 'create'>, maxLength: number): Messages {
  return {
    async store(messages, signal) {
      const stored: EpisodicMemory[] = [];
      // Messages are stored one after another, because each is placed after the one before.
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
        stored.push(await episodic.create(memory, { id, timestamp, runId: turn }));
      }
      return stored;
    },
  };
}
