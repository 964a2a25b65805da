import { shapeConversation } from '../../../src/llm/openai/conversation';
import type { Message } from '../../../src/llm/openai/messages';

const FORM = { hasSystem: true, emptyContent: null, hasToolMessages: true } as const;
const calling = (content: string | null): Message => ({
  role: 'assistant',
  content,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
});
const result: Message = { role: 'tool', tool_call_id: 'a', content: '2' };
const system = (content: string): Message => ({ role: 'system', content });
const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

test.each<[string, Message[], Message[]]>([
  [
    'everything that instructs is one message, first',
    [system('a'), user('m'), system('b'), user('q')],
    [system('a\n\nb\n\nwords'), user('m\n\nq')],
  ],
  [
    'neighbours are merged',
    [user('a'), assistant('b'), assistant('c'), user('d')],
    [system('words'), user('a'), assistant('b\n\nc'), user('d')],
  ],
  [
    'a message that says nothing is left out',
    [user('a'), assistant(' '), user('b')],
    [system('words'), user('a\n\nb')],
  ],
  [
    'calls and their results stay apart',
    [user('a'), calling(''), result, result, user('b')],
    [system('words'), user('a'), calling(null), result, result, user('b')],
  ],
])('%s', (_name, messages, shaped) => {
  expect(shapeConversation(messages, ['words'], FORM)).toEqual(shaped);
});

test('if there is no system role, the first message of the user begins with it', () => {
  const form = { ...FORM, hasSystem: false };
  expect(shapeConversation([system('a'), user('b')], [], form)).toEqual([user('a\n\nb')]);
  expect(shapeConversation([system('a'), assistant('b')], [], form)).toEqual([user('a'), assistant('b')]);
});

test('where calls have no form of their own, they are texts, and roles still alternate', () => {
  const form = { ...FORM, hasToolMessages: false };
  expect(shapeConversation([user('a'), calling('So:'), result, result, user('b')], [], form)).toEqual([
    user('a'),
    assistant('So:\n{"name": "add", "arguments": {"a":1}}'),
    user('Result of add:\n2\n\nResult of add:\n2\n\nb'),
  ]);
});
