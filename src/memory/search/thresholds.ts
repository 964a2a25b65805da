/**
 * Minimum relevance of an episodic memory, 0 to 1: a lower one has nothing to do with the query. Semantic ones have a
 * setting.
 */
export const EPISODIC_THRESHOLD = 0.3;
