import { CONVERSATION_TAG, type RecentMessage } from '../../contracts/http/conversations';
import type { ChatHistory, ChatMessage } from '../../contracts/http/memory-chat';
import type { UserMemories } from '../../stores/memory/memory-graph';
import { toRecentMessage } from '../nodes/episodic-node';

export interface HistoryQuery {
  readonly userId: string;
  readonly sessionId: string;
  readonly limit: number;
  /** Number of first messages that are left out. */
  readonly offset: number;
}

/** The messages of a session. Reading them counts no reads. */
export interface ConversationHistory {
  /**
   * Reads messages in the order in which they were said, so that a message keeps its offset while the session
   * continues.
   * @throws what the graph throws
   */
  read(query: HistoryQuery): Promise<ChatHistory>;
}

export function createConversationHistory(graph: Pick<UserMemories, 'list' | 'count'>): ConversationHistory {
  return {
    async read({ userId, sessionId, limit, offset }) {
      const filters = { sessionId, anyLabel: [CONVERSATION_TAG] };
      const scope = { userId, kind: 'episodic' as const, filters };
      const nodes = await graph.list({ ...scope, order: 'oldest-first', offset, limit });
      // The count follows the list, so that it includes all messages of the list.
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

function toChatMessage({ role: type, ...message }: Required<RecentMessage>, importance: number): ChatMessage {
  return { ...message, type, importance };
}
