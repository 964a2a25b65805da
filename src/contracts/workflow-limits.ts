// Apart from the schemas, so that workflow code can use them without bundling a validator.

/** Most steps of one workflow. */
export const MOST_STEPS = 50;
/** Most items that all forEach steps of one run work on together: keeps a run's history below 10,000 events. */
export const MOST_ITEMS = 1_000;
/** Characters of JSON that the results a run keeps may have together: they are all in a worker's memory at once. */
export const MOST_RESULTS_LENGTH = 67_108_864;
/** The same of a planned run, whose every turn sends all of them to the planner. */
export const MOST_CONVERSATION_LENGTH = 16_777_216;
