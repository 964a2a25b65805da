export { createBuiltinClassifier } from './classifier';
export { HINT_ODDS } from './probabilities';
export {
  INTENT_DESCRIPTIONS,
  INTENT_TYPES,
  isIntentType,
  type IntentClassifier,
  type IntentContext,
  type IntentResult,
  type IntentType,
  type NamedTool,
} from './types';
