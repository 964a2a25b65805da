import type { Recalled } from '../../src/contracts/http/conversations';
import type { FoundMemories } from '../../src/contracts/http/memory';

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
