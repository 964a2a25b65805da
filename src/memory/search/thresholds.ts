/**
 * Minimum relevance of an episodic memory that a conversation recalls, 0 to 1: a lower one has nothing to do with what is said.
 * Semantic ones have a setting.
 */
export const EPISODIC_THRESHOLD = 0.3;

/**
 * Minimum relevance of an episodic memory in a search, 0 to 1. It is lower, because the caller of a search judges the results itself: with 0.3, a
 * twentieth of what is found by words alone was hidden.
 */
export const EPISODIC_SEARCH_THRESHOLD = 0.15;
