import {
  type Behaviour,
  fails,
  type ModelServer,
  says,
  saysParts,
  startModelServer,
} from '../../support/model-server';
import { sendJson } from '../../support/stub-peer';
import { context, DOTTED, errorOf, HELLO, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

test('an answer, with why it ended', async () => {
  server.script(says('Hello!'), says('Once upon', { finishReason: 'length' }));
  const llm = providerOf(server);
  expect(await llm.chat(HELLO, context())).toEqual({
    provider: 'hosted',
    model: 'test-model',
    content: 'Hello!',
    finishReason: 'stop',
    usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
  });
  expect(await llm.chat(HELLO, context())).toMatchObject({ content: 'Once upon', finishReason: 'length' });
});

test.each([
  ['as a whole', undefined],
  ['in pieces', () => undefined],
])('an answer in parts is its texts, without the thoughts between them, %s', async (_, onText) => {
  const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Greet them.' }] };
  server.script(saysParts([thought, { type: 'text', text: 'Hello ' }, { type: 'text', text: 'you!' }]));
  const answer = await providerOf(server).chat(HELLO, { ...context(), onText });
  expect(answer).toMatchObject({ content: 'Hello you!', finishReason: 'stop' });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['\n<think>\nThey greet. Say {"a": 1}?\n</think>\n\nHello!', 'Hello!'],
  ['<think>They gre', ''],
  ['Write <think>a</think> for thoughts.', 'Write <think>a</think> for thoughts.'],
])('thoughts in front of a text are no part of it: %j', async (text, content) => {
  server.script(says(text));
  expect(await providerOf(server).chat(HELLO, context())).toMatchObject({ content });
});

describe('of lists that a server makes long', () => {
  const choices = (...all: unknown[]): Behaviour => {
    return (_request, response) => sendJson(response, 200, { choices: all });
  };

  test('other answers than the first are not looked at', async () => {
    server.script(choices({ message: { content: 'Hello!' } }, ...Array<number>(100_000).fill(1)));
    expect(await providerOf(server).chat(HELLO, context())).toMatchObject({ content: 'Hello!' });
  });

  // Each wrong item of a list is described, which took gigabytes for the millions that an answer has room for.
  test.each([
    ['content', { type: 'text', text: 'a' }],
    ['tool_calls', { function: { name: 'a' } }],
  ])('one of more %s than any answer has is not looked at', async (field, item) => {
    server.script(choices({ message: { [field]: Array<object>(1_001).fill(item) } }));
    const error = await errorOf(providerOf(server, { maxAttempts: 1 }).chat(HELLO, context()));
    expect(error.message).toMatch(/not in the form of the chat API/);
  });
});

test('only what is set is sent', async () => {
  await providerOf(server).chat(HELLO, context());
  expect(server.requests[0]!.body).toEqual({ model: 'test-model', messages: HELLO.messages });
});

test.each([
  ['hosted', 'max_completion_tokens'],
  ['local', 'max_tokens'],
] as const)('settings of %s, its limit as %s', async (name, limit) => {
  const request = { ...HELLO, temperature: 0, topP: 0.5, maxTokens: 7 };
  await providerOf(server, { name }).chat(request, context());
  expect(server.requests[0]!.body).toMatchObject({ temperature: 0, top_p: 0.5, [limit]: 7 });
});

test('a conversation with tools in the form of the API', async () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Read it' },
    {
      role: 'assistant',
      content: '',
      toolRequests: [
        { id: 'a', toolName: DOTTED.name, args: { path: 'x' } },
        { id: 'b', toolName: 'weather', args: {} },
      ],
    },
    { role: 'tool', requestId: 'a', content: { lines: 2 } },
    { role: 'tool', requestId: 'b', content: 'city is required', failed: true },
    { role: 'assistant', content: 'It has two lines.' },
  ] as const;
  await providerOf(server).chat({ messages }, context());
  expect(server.requests[0]!.body.messages).toEqual([
    messages[0],
    messages[1],
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'files_read', arguments: '{"path":"x"}' } },
        { id: 'b', type: 'function', function: { name: 'weather', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: '{"lines":2}' },
    { role: 'tool', tool_call_id: 'b', content: '{"failed":true,"error":"city is required"}' },
    messages[5],
  ]);
});

test.each([null, [0, 0], [-1, -1], [20, -1], [1.5, 2]] as const)(
  'where the server tells %j as usage, it is counted',
  async (usage) => {
    server.script(says('Hello, world', { usage }));
    const { usage: counted } = await providerOf(server).chat(HELLO, context());
    // "Hell|o ther|e" of the prompt, "Hell|o|,|worl|d" of the answer.
    expect(counted).toEqual({ promptTokens: 4, completionTokens: 5, totalTokens: 9 });
  },
);

test('tokens that the server has in the total alone were thought by the model, and count as its answer', async () => {
  server.script(says('Hello', { usage: [10, 5, 40] }), says('Hello', { usage: [10, 5, 12] }));
  const usageOf = async () => (await providerOf(server).chat(HELLO, context())).usage;
  expect(await usageOf()).toEqual({ promptTokens: 10, completionTokens: 30, totalTokens: 40 });
  expect(await usageOf()).toEqual({ promptTokens: 10, completionTokens: 5, totalTokens: 15 });
});

describe('markup of a call as an answer', () => {
  const markup = '<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>';

  test('is objected to, not reported, and counted', async () => {
    server.script(says(markup), says('It rains in Oslo.'));
    const heard: string[] = [];
    const onText = (soFar: string) => void heard.push(soFar);
    const { content, usage } = await providerOf(server).chat(HELLO, { ...context(), onText });
    expect([content, usage.totalTokens]).toEqual(['It rains in Oslo.', 30]);
    expect(heard.join('\n')).not.toMatch(/tool_call|name/);
    expect(heard.at(-1)).toBe(content);
    expect(server.requests[1]!.body.messages).toEqual([
      ...HELLO.messages,
      { role: 'assistant', content: markup },
      { role: 'user', content: 'There are no tools to call. Answer in words.' },
    ]);
  });

  test('fails the call where the second is markup too, with the tokens of both', async () => {
    server.otherwise(says(markup));
    const error = await errorOf(providerOf(server).chat(HELLO, context()));
    expect(error).toMatchObject({ code: 'MODEL_OUTPUT_INVALID', details: { usage: { totalTokens: 30 } } });
    expect(server.requests).toHaveLength(2);
  });
});

test('a refusal that another form of the request did not mend is not remembered', async () => {
  const llm = providerOf(server, { maxAttempts: 2 });
  server.script(
    fails(400, { message: "'temperature' is not supported" }),
    fails(503, { message: 'loading' }),
    says('Hello!'),
  );
  await llm.chat({ ...HELLO, temperature: 0.5 }, context());
  const sent = server.requests.map(({ body }) => body.temperature);
  expect(sent).toEqual([0.5, undefined, 0.5]);
});
