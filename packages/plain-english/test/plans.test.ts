import { answerPrompt, chooseNext, KNOWN_TOOLS, understand } from '../src';
import type { ToolDescription } from '../src/types';

const text = (description: string) => ({ type: 'string', description, required: true }) as const;
const lookup: ToolDescription = {
  name: 'lookup_order',
  description: 'Looks up an order and gives its amount',
  parameters: { orderId: text('The id of the order') },
};
const refund: ToolDescription = {
  name: 'shop.refund',
  description: 'Refunds an order',
  parameters: {
    orderId: text('The id of the order'),
    amount: { type: 'number', description: 'How much', required: true },
  },
};
const mail: ToolDescription = {
  name: 'send_email',
  description: 'Sends an email',
  parameters: { to: text('Email address'), body: text('Text of the message') },
};
const dice: ToolDescription = {
  name: 'roll_dice',
  description: 'Rolls dice',
  parameters: { sides: { type: 'integer', description: 'Number of sides', required: true } },
};
const offered = [...KNOWN_TOOLS, lookup, refund, mail, dice];
const plan = (query: string): unknown[] =>
  understand(query, offered).steps.map(({ toolName, args }) => [toolName, args]);
const refusal = expect.objectContaining({ code: 'QUERY_NOT_UNDERSTOOD' });
const api = 'https://api.example.com/a';

test('steps feed one another', () => {
  expect(plan(`fetch ${api}, read the total and multiply it by 3`)).toEqual([
    ['api_call', { url: api, method: 'GET' }],
    ['json_reader', { jsonString: '{{1.data}}', path: '$.total' }],
    ['calculator', { operation: 'multiply', a: '{{2}}', b: 3 }],
  ]);
  expect(plan('read notes/may.json and then post it to https://b.example.com/in')).toEqual([
    ['file_read', { path: 'notes/may.json' }],
    ['api_call', { url: 'https://b.example.com/in', method: 'POST', body: '{{1.content}}' }],
  ]);
  expect(plan('multiply 3 by 4 and roll dice with sides: the result')).toEqual([
    ['calculator', { operation: 'multiply', a: 3, b: 4 }],
    ['roll_dice', { sides: '{{1}}' }],
  ]);
  expect(plan('lookup_order A17, then send an email to: ann@example.com, body: the result')).toEqual([
    ['lookup_order', { orderId: 'A17' }],
    ['send_email', { to: 'ann@example.com', body: '{{1}}' }],
  ]);
});

test.each<[string, string, Record<string, unknown>]>([
  ['weather in Paris', 'weather', { location: 'Paris' }],
  ["what's the weather like in Portland, Oregon today?", 'weather', { location: 'Portland, Oregon' }],
  ["London's weather in fahrenheit", 'weather', { location: 'London', units: 'imperial' }],
  ['open data/rooms.json', 'file_read', { path: 'data/rooms.json' }],
  ['read the file "logo.png" as base64', 'file_read', { path: 'logo.png', encoding: 'base64' }],
])('%s', (query, name, args) => {
  expect(plan(query)).toEqual([[name, args]]);
});

describe('half a request is never run', () => {
  test.each([
    'Look up order A200 and then refund its amount',
    'Look up order A100, then refund it',
    'Look up order A100 and cancel it',
    'Look up order A200 or refund it',
    'Look up order A200 and then write a poem',
    'Look up order A200, but only if it is open',
    'Add 2 and 3 and delete order A100',
    'add 2 and 3 but first delete order A100',
    'add 2 and 3 while deleting A100',
    'add 2 and 3 and email Bob',
    'Add 2 and 3. Refund order A100.',
    'Add 2 and 3; I also want order A100 gone',
    "what is 2 plus 3 and don't email ann@example.com",
    'What is 2 plus 3 and who wrote Hamlet?',
    'Weather in Rome and book a flight',
    'weather in London tomorrow',
    'read notes.txt and delete it',
    'read file:///etc/passwd',
    'fetch https://shop.example/x and order me a pizza',
    'write a poem about the sea',
    'send an email to ann@example.com with body "{{1}}"',
    'Please forget it',
  ])('%s', (query) => {
    expect(() => plan(query)).toThrow(refusal);
  });

  test.each<[string, number]>([
    ['Look up order A200', 1],
    ['Hello! What is 3 plus 4? Thanks a lot', 1],
    ['multiply 6 by 7 and then subtract 2', 2],
    ['fetch https://shop.example/x and read the total', 2],
    ['weather in Rome and the weather in Paris', 2],
  ])('a whole one is: %s', (query, calls) => {
    expect(plan(query)).toHaveLength(calls);
  });
});

test('what no rule reads is named, with the settings that give a language model', () => {
  const settings = ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'];
  for (const query of ['add 3 and 4, then tweet it to Bob', 'write a poem about the sea'])
    expect(() => plan(query)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(settings.join(' or ')),
        details: expect.objectContaining({ field: 'query', settings }),
      }),
    );
  expect(() => plan('fetch https://a.io/x and order me a pizza')).toThrow('"order me a pizza"');
});

test('of the only tool that is offered the arguments are read, whatever words choose it', () => {
  const choose = (content: string) =>
    chooseNext({ messages: [{ role: 'user', content }], tools: [refund], choice: 'required' });
  expect(choose('A17, amount 12.5').requests).toEqual([
    { id: expect.any(String), toolName: 'shop.refund', args: { orderId: 'A17', amount: 12.5 } },
  ]);
  expect(() => choose('A17 and write a poem')).toThrow(refusal);
});

test('a conversation goes on where its results end, and says what failed', () => {
  const messages = [
    { role: 'user', content: 'multiply 6 by 7 and then subtract 2' },
    { role: 'assistant', content: '', toolRequests: [{ id: '1', toolName: 'calculator', args: {} }] },
  ] as const;
  const tools = KNOWN_TOOLS;
  const done = chooseNext({
    messages: [...messages, { role: 'tool', requestId: '1', content: 42 }],
    tools,
    choice: 'auto',
  });
  expect(done.requests).toEqual([
    { id: expect.any(String), toolName: 'calculator', args: { operation: 'subtract', a: 42, b: 2 } },
  ]);
  const failure = { role: 'tool', requestId: '1', content: 'no network', failed: true } as const;
  expect(chooseNext({ messages: [...messages, failure], tools, choice: 'auto' })).toEqual({
    content: 'The call of calculator failed: no network',
    requests: [],
  });
});

test.each([
  ['Hello, could you please calculate 5 plus 3?', '8'],
  ['what is the name in {"name":"Al"}', 'Al'],
  ['Reply with exactly: pong', 'pong'],
  ['Summarise: Ann sleeps. Bob eats.', undefined],
  ["don't add 2 and 3", undefined],
  ['How do I add 5 and 3?', undefined],
  ['Why is 2 plus 2 4?', undefined],
])('a prompt is answered from its own text: %s', (content, answer) => {
  expect(answerPrompt([{ role: 'user', content }])).toBe(answer);
});
