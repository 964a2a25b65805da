import type { ChatAnswer } from '../../src/contracts/http/memory-chat';
import type { MemoryChatTurnResult } from '../../src/contracts/runs/memory-chat';
import { toFoundMemories } from './found-memories';

/** Builds the response to a turn. Pure. */
export function toChatAnswer(result: MemoryChatTurnResult): ChatAnswer {
  const { answer, context, recalled, stored, answeredAt, sources, degraded, provider, model, usage, times } =
    result;
  const used = result.runUsage === undefined ? {} : { usage: result.runUsage };
  return {
    message: answer,
    ...(result.finishReason === undefined ? {} : { finishReason: result.finishReason }),
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
