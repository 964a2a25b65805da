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

export type { Claim, FactAnswer, KnownFact, ReadClaim, SaidFact } from './memory/facts';
export type { FallbackReason } from './memory/fallback-reason';
export { factsVersion } from './memory/read-facts';
export { nothingKnown, type Search } from './memory/nothing-known';
export type { MemoryAnswer, RecalledText } from './memory/recalled';
export { describeToolResults, type ToolStepResult } from './memory/tool-results';

export { createIntentClassifier } from './intents/classifier';
export { INTENT_TYPES, type IntentType } from './intents/intent-types';
export type { IntentClassifier, IntentContext, IntentResult, NamedTool } from './intents/types';
