import type { ChatAnswer } from '../../src/contracts/http/memory-chat';
import type { MemoryChatTurnResult } from '../../src/contracts/runs/memory-chat';
import type { Recalled } from '../../src/contracts/http/conversations';
import type { FoundMemories } from '../../src/contracts/http/memory';

/** Builds the response to a turn. Pure. */
export function toChatAnswer(result: MemoryChatTurnResult): ChatAnswer {
  const { answer, context, recalled, stored, answeredAt, sources, degraded, provider, model, usage, times } =
    result;
  const used = result.runUsage === undefined ? {} : { usage: result.runUsage };
  return {
    message: answer,
    finishReason: result.finishReason,
    context,
    memories: toFoundMemories(recalled),
    storedMemory: stored,
    timestamp: answeredAt,
    sources: [...sources],
    ...(result.facts === undefined ? {} : { facts: [...result.facts] }),
    degraded: [...degraded],
    ...used,
    metadata: { modelUsed: model, provider, llmUsage: usage, ...times },
  };
}

/** Converts recalled memories to the form of a search result. */
export function toFoundMemories({
  episodic,
  semantic,
}: Pick<Recalled, 'episodic' | 'semantic'>): FoundMemories {
  return {
    episodic: episodic.map(({ id, content, timestamp, relevanceScore }) => ({
      id,
      content,
      timestamp,
      relevanceScore,
    })),
    semantic: semantic.map(({ id, concept, description, similarityScore }) => ({
      id,
      concept,
      description,
      similarityScore,
    })),
  };
}
