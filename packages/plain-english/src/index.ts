/*
 * English by rules, without a language model: the one face of this package. Everything is pure but for the dictionary files of
 * WordNet, which `answerFromMemories` reads where they are. README.md says what the folders hold.
 */
export { PlainEnglishError, isPlainEnglishError } from './errors';
export type * from './types';

export {
  answerFromFacts,
  answerFromMemories,
  answerPrompt,
  asksAboutUser,
  chooseNext,
  fillFromMemories,
  findJsonValues,
  readClaim,
  readFacts,
  recallTerms,
  replyToTalk,
  understand,
} from './bounded';
export type { Choice } from './plan/choose-tools';
export type { PlannedStep } from './plan/step';
export type { Plan } from './plan/understand';
export { CALCULATOR_OPERATIONS, HTTP_METHODS, KNOWN_TOOLS } from './known-tools';

export type { Claim, FactAnswer, KnownFact, ReadClaim, SaidFact } from './facts/types';
export type { Filled } from './recall/fill';
export { nothingKnown, type Search } from './recall/nothing-known';
export { describeToolResults, type ToolStepResult } from './recall/tool-results';
export type { MemoryAnswer, RecalledText } from './recall/types';
export type { FallbackReason } from './recall/fallback-reason';

export { createIntentClassifier } from './intents/classifier';
export { INTENT_TYPES, type IntentType } from './intents/intent-types';
export type { IntentClassifier, IntentContext, IntentResult, NamedTool } from './intents/types';
