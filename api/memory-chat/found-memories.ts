import type { Recalled } from '../../src/contracts/http/conversations';
import type { FoundMemories } from '../../src/contracts/http/memory';

/** Recalled memories in the shape of a memory search. */
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
