import type { ChatMessage } from '../../../../src/contracts/llm';
import { HoldfastError } from '../../../../src/errors';
import { answerCalculation } from './calculation';
import { answerExtraction } from './extraction';
import { answerJson } from './json';
import { answerRepetition } from './repetition';
import { answerSummary } from './summary';
import { splitPrompt, type Prompt } from './prompt';
import { answerTransformation } from './transformation';

/** Answers one kind of request from the text of the prompt alone; undefined where it is another kind. */
type Answerer = (prompt: Prompt) => string | undefined;

/** What the answers below would not heed. */
const DENIAL =
  /\b(?:do\s+not|don['’]?t|never|must\s+not|mustn['’]t|should\s+not|shouldn['’]t|not\s+to|without|except|avoid|refrain)\b/i;

const ANSWERERS: readonly Answerer[] = [
  answerJson,
  answerTransformation,
  answerExtraction,
  answerSummary,
  answerCalculation,
];

/** @returns `MODEL_NOT_CONFIGURED`, saying which settings would help */
export function noModel(): HoldfastError {
  const message =
    'No language model is configured, and without one this cannot be answered. Set OPENAI_API_KEY for a hosted model ' +
    'or LOCAL_LLM_BASE_URL for a local one.';
  return new HoldfastError('MODEL_NOT_CONFIGURED', message, {
    details: { settings: ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'] },
  });
}

/**
 * The answer to the last user message, made of nothing but its own text.
 * @throws HoldfastError `MODEL_NOT_CONFIGURED` where that takes a language model
 */
export function answer(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  const text = last?.role === 'user' ? last.content.trim() : '';
  const prompt = splitPrompt(text);
  const repeated = answerRepetition(prompt);
  if (repeated !== undefined) return repeated;
  if (prompt.subject !== '' && DENIAL.test(prompt.instruction)) throw noModel();
  for (const attempt of ANSWERERS) {
    const found = attempt(prompt);
    if (found !== undefined) return found;
  }
  throw noModel();
}
