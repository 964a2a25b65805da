import type { IntentType } from '../contracts/intent-types';

export interface SelfTestCase {
  readonly query: string;
  readonly description: string;
  readonly expectedIntent: IntentType;
}

/**
 * Turns by which an operator sees that every part of the agent works, in this order: what is told first is asked for later.
 * None of them reaches out of the service.
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
  { query: 'What is 125 divided by 5?', description: 'a calculation', expectedIntent: 'tool_execution' },
  {
    query: 'Multiply 12 by 8 and then subtract 6.',
    description: 'a calculation of two steps',
    expectedIntent: 'tool_execution',
  },
  {
    query: 'Read $.city from {"city":"Oslo","people":709037}',
    description: 'a value from JSON',
    expectedIntent: 'tool_execution',
  },
  {
    query: 'In which city does my sister live?',
    description: 'a fact from an earlier turn',
    expectedIntent: 'memory_chat',
  },
  {
    query: 'What did I tell you about coffee?',
    description: 'something said before',
    expectedIntent: 'memory_chat',
  },
  {
    query: 'How many cups of coffee did I say I drink a day, times 7?',
    description: 'a calculation with a remembered number',
    expectedIntent: 'hybrid',
  },
  {
    query: 'Take the number of cups of coffee I told you about and add 10 to it.',
    description: 'another one, put as an order',
    expectedIntent: 'hybrid',
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
