// Apart from the schemas, so that workflow code can use them without bundling a validator.

/** Most steps of one workflow. */
export const MAX_STEPS = 50;
/** Most items that all forEach steps of one run work on together: keeps a run's history below 10,000 events. */
export const MAX_ITEMS = 1_000;
/** Characters of JSON that the results a run keeps may have together: they are all in a worker's memory at once. */
export const MAX_RESULTS_LENGTH = 67_108_864;
/** The same of a planned run, whose every turn sends all of them to the planner. */
export const MAX_TRANSCRIPT_LENGTH = 16_777_216;
/** Characters of JSON that the arguments of all calls under way in a run may have together; one call alone may have more. */
export const MAX_IN_FLIGHT_LENGTH = 16_777_216;
/**
 * The same of the calls that one workflow task starts. A character takes up to three bytes, and the server takes messages of
 * 4 MB; a task that works on so much leaves the thread that all runs of a worker share within a fraction of a second.
 */
export const MAX_STARTED_LENGTH = 1_048_576;
/** Characters of JSON that the arguments of all calls of a run may have together, those that have ended too. */
export const MAX_SENT_LENGTH = 268_435_456;
