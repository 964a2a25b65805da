// Apart from the schemas, so that workflow code can use them without bundling a validator.

/** Most steps of one workflow. */
export const MOST_STEPS = 50;
/** Most items that all forEach steps of one run work on together: keeps a run's history below 10,000 events. */
export const MOST_ITEMS = 1_000;
