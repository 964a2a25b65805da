import { CONVERSATION_TAG, type RecentMessage } from '../../contracts/http/conversations';
import type { ChatHistory, ChatMessage } from '../../contracts/http/memory-chat';
import { toRecentMessage } from '../nodes/recent-message';
import type { MemoryGraph } from '../../stores/memory/memory-graph';

export interface HistoryQuery {
  readonly userId: string;
  readonly sessionId: string;
  readonly limit: number;
  /** So many of the first messages are left out. */
  readonly offset: number;
}

/** What was said in a session. Counts no reads. */
export interface ConversationHistory {
  /**
   * The first message first, so that a message keeps its offset while the session goes on.
   * @throws what the graph throws
   */
  read(query: HistoryQuery): Promise<ChatHistory>;
}

export function createConversationHistory(graph: Pick<MemoryGraph, 'list' | 'count'>): ConversationHistory {
  return {
    async read({ userId, sessionId, limit, offset }) {
      const filters = { sessionId, anyLabel: [CONVERSATION_TAG] };
      const scope = { userId, kind: 'episodic' as const, filters };
      const nodes = await graph.list({ ...scope, order: 'oldest-first', offset, limit });
      // After the list, so that it counts all messages that the list has.
      const totalCount = await graph.count(scope);
      return {
        userId,
        sessionId,
        messages: nodes.map((node) => toChatMessage(toRecentMessage(node), node.weight)),
        totalCount,
        hasMore: totalCount > offset + nodes.length,
      };
    },
  };
}

function toChatMessage({ role: type, ...message }: RecentMessage, importance: number): ChatMessage {
  return { ...message, type, importance };
}
