import type { ChatMessage } from '../types';
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

/** The answer to the last user message, made of nothing but its own text; undefined where that takes a language model. */
export function answerPrompt(messages: readonly ChatMessage[]): string | undefined {
  const last = messages.findLast(({ role }) => role === 'user');
  const text = last?.role === 'user' ? last.content.trim() : '';
  const prompt = splitPrompt(text);
  const repeated = answerRepetition(prompt);
  if (repeated !== undefined) return repeated;
  if (prompt.subject !== '' && DENIAL.test(prompt.instruction)) return undefined;
  for (const attempt of ANSWERERS) {
    const found = attempt(prompt);
    if (found !== undefined) return found;
  }
  return undefined;
}
