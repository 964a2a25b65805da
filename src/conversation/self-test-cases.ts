import type { IntentType } from '../contracts/intent-types';

/** The content that a response must have. */
export interface ExpectedContent {
  /** A description for the report. */
  readonly what: string;
  readonly pattern: RegExp;
}

export interface SelfTestCase {
  readonly query: string;
  readonly description: string;
  readonly expectedIntent: IntentType;
  /** Absent if many answers are correct. */
  readonly expectedContent?: ExpectedContent;
  /** True if only a language model can give that content; without one, the answer has to say so. */
  readonly needsModel?: true;
}

/**
 * Turns by which an operator sees that every part of the agent works. Their order matters, because later turns ask
 * about facts of earlier ones. None of them calls anything outside of the service.
 */
export const SELF_TEST_CASES: readonly SelfTestCase[] = [
  { query: 'Hello, how are you today?', description: 'a greeting', expectedIntent: 'conversation' },
  {
    query: 'Thanks a lot, you have been a great help.',
    description: 'thanks',
    expectedIntent: 'conversation',
  },
  {
    query: 'Please remember that my sister lives in Lisbon and that I drink 3 cups of coffee a day.',
    description: 'facts to be remembered',
    expectedIntent: 'memory_chat',
  },
  {
    query: 'What is 125 divided by 5?',
    description: 'a calculation',
    expectedIntent: 'tool_execution',
    expectedContent: expectNumber(25, 'twenty-five'),
  },
  {
    query: 'Multiply 12 by 8 and then subtract 6.',
    description: 'a calculation of two steps',
    expectedIntent: 'tool_execution',
    expectedContent: expectNumber(90, 'ninety'),
  },
  {
    query: 'Read $.city from {"city":"Oslo","people":709037}',
    description: 'a value from JSON',
    expectedIntent: 'tool_execution',
    expectedContent: { what: 'Oslo', pattern: /\boslo\b/i },
  },
  {
    query: 'Where does my sister live?',
    description: 'a fact from an earlier turn',
    expectedIntent: 'memory_chat',
    expectedContent: { what: 'Lisbon', pattern: /\blisbon\b/i },
  },
  {
    query: 'What did I tell you about coffee?',
    description: 'something said before',
    expectedIntent: 'memory_chat',
    expectedContent: expectNumber(3, 'three'),
  },
  {
    query: 'How many cups of coffee did I say I drink a day, times 7?',
    description: 'a calculation with a remembered number',
    expectedIntent: 'hybrid',
    expectedContent: expectNumber(21, 'twenty-one'),
    needsModel: true,
  },
  {
    query: 'Take the number of cups of coffee I told you about and add 10 to it.',
    description: 'another one, put as an order',
    expectedIntent: 'hybrid',
    expectedContent: expectNumber(13, 'thirteen'),
    needsModel: true,
  },
  {
    query: 'What causes the tides in the oceans?',
    description: 'a question about the world',
    expectedIntent: 'knowledge_search',
  },
  {
    query: 'Who wrote the first encyclopedia?',
    description: 'another one',
    expectedIntent: 'knowledge_search',
  },
];

/** Expects a number, in digits or in words, that is not a part of another number or of a date. */
function expectNumber(value: number, word: string): ExpectedContent {
  const words = word.replace('-', '[- ]');
  return {
    what: String(value),
    pattern: new RegExp(`(?<![\\d-]|\\d[.,])${value}(?![\\d]|-\\d|[.,]\\d*[1-9])|\\b${words}\\b`, 'i'),
  };
}
