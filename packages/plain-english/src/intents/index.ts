export { createBuiltinClassifier } from './classifier';
export { HINT_ODDS } from './probabilities';
export type { IntentClassifier, IntentContext, IntentResult, NamedTool } from '../../../../src/intent/intent-classifier';
