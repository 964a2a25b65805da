/*
 * English by rules, without a language model: the one face of this package. README.md says what the folders hold.
 */
export { PlainEnglishError, isPlainEnglishError } from './errors';
export type * from './types';

export {
  answerFromFacts,
  answerFromMemories,
  answerPrompt,
  asksAboutUser,
  chooseNext,
  findJsonValues,
  readClaim,
  readFacts,
  replyToTalk,
  understand,
} from './bounded';
export type { Choice } from './plan/choose-next';
export type { PlannedStep } from './reading/reading';
export type { Plan } from './plan/understand';
export { KNOWN_TOOLS } from './known-tools';

export type {
  Claim,
  FactAnswer,
  KnownFact,
  MemoryAnswer,
  ReadClaim,
  RecalledText,
  SaidFact,
} from './memory/facts';
export { factsVersion } from './memory/read-facts';
export { type FallbackReason, nothingKnown, type Search } from './memory/talk';
export { describeToolResults, type ToolStepResult } from './memory/tool-results';

export { createIntentClassifier } from './intents/classifier';
export { INTENT_TYPES } from './intents/intent-types';
export type {
  IntentClassifier,
  IntentContext,
  IntentResult,
  IntentType,
  NamedTool,
} from './intents/intent-types';
