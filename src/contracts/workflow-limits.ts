// These limits are apart from the schemas, so that workflow code can use them without bundling a validator.

/** A workflow has up to this number of steps. */
export const MAX_STEPS = 50;
/**
 * All forEach steps of a run work on up to this number of items together, which keeps its history below 10,000 events.
 */
export const MAX_ITEMS = 1_000;
/** Characters of JSON of all results that a run keeps, since they are in a worker's memory at once. */
export const MAX_RESULTS_LENGTH = 67_108_864;
/**
 * The same limit for a planner loop, which sends all results to the planner in each iteration. What its model wrote has
 * another one of this length.
 */
export const MAX_TRANSCRIPT_LENGTH = 16_777_216;
/** Characters of JSON of the arguments of all calls in flight in a run; a single call may have more. */
export const MAX_IN_FLIGHT_LENGTH = 16_777_216;
/**
 * The same limit for the calls that one workflow task starts. A character takes up to three bytes, and the server
 * accepts messages of up to 4 MB. A task of this size releases the thread, which all runs of a worker share, within a
 * fraction of a second.
 */
export const MAX_STARTED_LENGTH = 1_048_576;
/** Characters of JSON of the arguments of all calls of a run, including those that have ended. */
export const MAX_SENT_LENGTH = 268_435_456;
