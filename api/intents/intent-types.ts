import { INTENT_DESCRIPTIONS, INTENT_TYPES, type IntentType } from '../../src/contracts/intent-types';

export interface IntentTypeInfo {
  readonly type: IntentType;
  readonly description: string;
  readonly examples: string[];
  readonly characteristics: string[];
}

const EXAMPLES: Readonly<Record<IntentType, string[]>> = {
  conversation: ['Good morning, how are you?', 'That made me laugh', 'Do you ever get bored?'],
  tool_execution: [
    'What is 15 times 7?',
    'Fetch https://example.com/orders and count them',
    'Will it rain in Oslo?',
  ],
  memory_chat: [
    'What did I say about the roof?',
    'My sister is called Noor',
    'Which tea was it that I like?',
  ],
  hybrid: ['Add 20 % to the rate I gave you', 'What is the weather in the town I live in?'],
  knowledge_search: ['Why is the sky blue?', 'How long does a passport stay valid?'],
};

const CHARACTERISTICS: Readonly<Record<IntentType, string[]>> = {
  conversation: [
    'greetings, moods and remarks',
    'needs neither memory nor tools',
    'a number in it is small talk',
  ],
  tool_execution: ['everything needed is in the message', 'calculations, requests, files, JSON, weather'],
  memory_chat: [
    'asks about something said before, or states something to remember',
    'about the person and their life',
  ],
  hybrid: ['refers to something said earlier', 'and asks for work with it'],
  knowledge_search: ['about the world and not about the person', 'facts, reasons, definitions, history'],
};

/** Describes the five intent types for callers, with examples. */
export function describeIntentTypes(): IntentTypeInfo[] {
  return INTENT_TYPES.map((type) => ({
    type,
    description: INTENT_DESCRIPTIONS[type],
    examples: EXAMPLES[type],
    characteristics: CHARACTERISTICS[type],
  }));
}
