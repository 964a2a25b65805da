import type { RecentMessage } from '../../contracts/http/conversations';
import type { MemoryNode } from '../../stores/memory/node';
import { contentOf, sourceOf } from './episodic-node';

/** Converts a memory of a conversation to the message from which it was made. Pure. */
export function toRecentMessage(node: MemoryNode): RecentMessage {
  return {
    id: node.id,
    role: sourceOf(node) === 'assistant' ? 'assistant' : 'user',
    content: contentOf(node),
    timestamp: new Date(node.timestamp).toISOString(),
  };
}
