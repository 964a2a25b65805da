/**
 * The provider and the model of an answer that neither a model nor rules have made. Apart from the schemas, because what a workflow
 * imports is evaluated for every run.
 */
export const NOT_ANSWERED = 'none';
