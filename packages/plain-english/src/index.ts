/*
 * English by rules, without a language model: the one face of this package. Everything is pure but for the dictionary files of
 * WordNet, which `answerFromMemories` reads where they are. README.md says what the folders hold.
 */
export { PlainEnglishError, isPlainEnglishError } from './errors';
export type * from './types';

export { chooseNext, type Choice } from './plan/choose-tools';
export { understand, type Plan } from './plan/understand';
export type { PlannedStep } from './plan/step';
export { CALCULATOR_OPERATIONS, HTTP_METHODS, KNOWN_TOOLS } from './known-tools';

export { answerPrompt } from './prompts/answer';
export { findJsonValues } from './text/json-values';

export { answerFromFacts } from './facts/answers/answer';
export { readClaim } from './facts/claims';
export { readFacts } from './facts/read-facts';
export type { Claim, FactAnswer, KnownFact, ReadClaim, SaidFact } from './facts/types';

export { answerFromMemories } from './recall/answer';
export { fillFromMemories, type Filled } from './recall/fill';
export { asksAboutUser, nothingKnown, type Search } from './recall/nothing-known';
export { recallTerms } from './recall/recall-terms';
export { replyToTalk } from './recall/talk';
export { describeToolResults, type ToolStepResult } from './recall/tool-results';
export type { MemoryAnswer, RecalledText } from './recall/types';
export type { FallbackReason } from './recall/fallback-reason';

export { createIntentClassifier } from './intents/classifier';
export { INTENT_TYPES, type IntentType } from './intents/intent-types';
export type { IntentClassifier, IntentContext, IntentResult, NamedTool } from './intents/types';
