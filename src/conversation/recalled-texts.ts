import type { Recalled } from '../contracts/http/conversations';
import type { RecalledText } from './conversation-rules';

/** Recalled memories in the form that the rules read, each once. */
export function recalledTexts({ episodic, semantic, recent }: Recalled): RecalledText[] {
  const texts = new Map<string, RecalledText>();
  for (const { id, content, timestamp, sessionId, metadata, relevanceScore } of episodic) {
    const role = metadata.source === 'assistant' ? 'assistant' : 'user';
    texts.set(id, {
      id,
      kind: 'episodic',
      text: content,
      timestamp,
      sessionId,
      role,
      relevance: relevanceScore,
    });
  }
  for (const { id, concept, description, similarityScore } of semantic) {
    texts.set(id, { id, kind: 'semantic', text: `${concept}: ${description}`, relevance: similarityScore });
  }
  for (const { id, role, content, timestamp } of recent) {
    if (!texts.has(id)) texts.set(id, { id, kind: 'episodic', text: content, timestamp, role, relevance: 0 });
  }
  return [...texts.values()];
}
