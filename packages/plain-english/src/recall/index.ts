/*
 * What is answered from memory, and said, where no model is: pure functions of texts and a time. `readStatements` and
 * `readQuestion` read both sides, `match` joins them, `kinds` (WordNet) tells that tea is a drink; the rest is wording.
 */
export { answerFromMemories } from './answer';
export { fillFromMemories, type Filled } from './fill';
export { asksAboutUser, nothingKnown } from './nothing-known';
export { recallTerms } from './recall-terms';
export { replyToTalk } from './talk';
export { describeToolResults, type ToolStepResult } from './tool-results';
export type { MemoryAnswer, RecalledText } from './types';
export type { WhyRules } from './why-rules';
