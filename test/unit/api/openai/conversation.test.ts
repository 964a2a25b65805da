import { keepLatest, readConversation } from '../../../../api/openai/conversation';

const read = (...messages: Parameters<typeof readConversation>[0]) => readConversation(messages, 'messages');

test('the last message of the user is the query, and what stands before it is context', () => {
  expect(
    read(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
      { role: 'developer', content: [{ type: 'text', text: 'Speak French.' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is' },
          { type: 'text', text: 'this?' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
    ),
  ).toEqual({
    query: 'What is\nthis?',
    instructions: 'Be brief.\n\nSpeak French.',
    earlier: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ],
    attachments: [{ name: 'image-1', type: 'image/png', data: 'AAAA' }],
    ignored: [],
  });
});

test('instructions may follow the query', () => {
  const { query, instructions } = read(
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'Be brief.' },
  );
  expect([query, instructions]).toEqual(['Hi', 'Be brief.']);
});

test('messages that are too far back are left out and named, the oldest first', () => {
  const long = 'x'.repeat(150_000);
  const { earlier, ignored } = read(
    { role: 'user', content: long },
    { role: 'user', content: long },
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Hi' },
  );
  expect([earlier.length, ignored]).toEqual([1, ['messages[0]']]);
});

test.each([
  ['no user', [{ role: 'system', content: 'x' }], 'messages'],
  [
    'an answer at the end',
    [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'y' },
    ],
    'messages',
  ],
  ['an unknown role', [{ role: 'critic', content: 'x' }], 'messages[0].role'],
  ['audio', [{ role: 'user', content: [{ type: 'input_audio' }] }], 'messages[0].content[0]'],
  [
    'a URL without a type',
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,x' } }] }],
    'messages[0].content[0].image_url',
  ],
])('%s is refused', (_, messages, field) => {
  expect(() => read(...messages)).toThrow(
    expect.objectContaining({ code: 'VALIDATION', details: expect.objectContaining({ field }) }),
  );
});

test('of a conversation that has become too long the latest messages are kept', () => {
  const messages = ['a', 'b', 'c'].map((letter) => ({
    role: 'user' as const,
    content: letter.repeat(90_000),
  }));
  expect(keepLatest(messages)).toEqual(messages.slice(1));
  expect(keepLatest(messages.slice(0, 2))).toEqual(messages.slice(0, 2));
});

test('outputs of calls that a conversation has behind it are named as not read', () => {
  const messages = [
    { role: 'user', content: 'How many lamps?' },
    { role: 'assistant', content: null, tool_calls: [{}] },
    { role: 'tool', tool_call_id: 'call_1', content: '7' },
    { role: 'assistant', content: 'Seven.' },
    { role: 'user', content: 'And desks?' },
  ];
  const conversation = read(...messages);
  expect(conversation.ignored).toEqual(['messages[2]']);
  expect(conversation.earlier.map(({ content }) => content)).toEqual(['How many lamps?', 'Seven.']);
});
