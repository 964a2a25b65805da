/** Below it an event has nothing to do with what is asked for, 0 to 1. What is known of a user has a setting. */
export const EPISODIC_THRESHOLD = 0.3;
