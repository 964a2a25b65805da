/*
 * The provider without a model. `text/` cuts a sentence into tokens, numbers and stems; `plan/` cuts it into clauses and
 * puts the calls together; `readers/` holds one reader a kind of call, which stand on `arithmetic/` (the grammar of
 * calculations), `json/` (paths in words), `http/` (requests in words) and `registered/` (choosing a tool, finding its
 * arguments); `answers/` answers prompts from their own text; `recalled/` answers from memories.
 */
export { understand, type Plan } from './plan/understand';
export type { PlannedStep } from './plan/step';
export { createBuiltinProvider } from '../../../src/llm/rules-provider';
