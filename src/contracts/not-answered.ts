/**
 * The provider and the model of an answer that neither a model nor rules have written. It is apart from the schemas,
 * because modules that a workflow imports are evaluated for every run.
 */
export const NOT_ANSWERED = 'none';
