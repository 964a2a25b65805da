import type { ToolChoiceRequest } from '../../../src/contracts/http/llm';
import {
  type Behaviour,
  callsTools,
  type ModelServer,
  says,
  startModelServer,
} from '../../support/model-server';
import { sendJson } from '../../support/stub-peer';
import { choosing, DOTTED, errorOf, HELLO, KEY, providerOf, WEATHER } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const REQUEST: ToolChoiceRequest = { ...HELLO, tools: [WEATHER, DOTTED], choice: 'auto' };
const OSLO = { name: 'weather', args: { city: 'Oslo' }, id: 'call_a' };
const choose = (request = REQUEST) => providerOf(server).chooseTools(request, choosing());

test('calls come back in order, under the names of the tools', async () => {
  server.script(callsTools([OSLO, { name: 'files_read', args: { path: 'x' }, id: 'call_b' }]));
  expect(await choose()).toEqual({
    provider: 'hosted',
    model: 'test-model',
    content: '',
    requests: [
      { id: 'call_a', toolName: 'weather', args: { city: 'Oslo' } },
      { id: 'call_b', toolName: 'files.read', args: { path: 'x' } },
    ],
    usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
  });
  const { tools, tool_choice: choice } = server.requests[0]!.body;
  expect(choice).toBe('auto');
  expect(tools).toMatchObject([
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'Weather of a place',
        parameters: { type: 'object', required: ['city'], properties: { days: { type: 'integer' } } },
      },
    },
    { type: 'function', function: { name: 'files_read' } },
  ]);
});

test('where the server does not count, the tools offered count too', async () => {
  server.script(says('No.', { usage: null }), says('No.', { usage: null }));
  const { usage } = await choose();
  const without = await choose({ ...REQUEST, tools: [] });
  expect(usage.promptTokens).toBeGreaterThan(without.usage.promptTokens);
  expect(usage.completionTokens).toBe(2);
});

test('an answer without calls is final', async () => {
  server.script(says('It is sunny.'));
  expect(await choose()).toMatchObject({ content: 'It is sunny.', requests: [] });
});

test('a final answer that was cut off says so', async () => {
  server.script(says('It is', { finishReason: 'length' }));
  expect(await choose()).toMatchObject({ content: 'It is', finishReason: 'length' });
});

test('without tools none are offered', async () => {
  await choose({ ...REQUEST, tools: [] });
  expect(server.requests[0]!.body).toEqual({ model: 'test-model', messages: HELLO.messages });
});

test('null and no arguments at all stand for what is left out', async () => {
  server.script(
    callsTools([
      { name: 'weather', args: { city: 'Oslo', days: null } },
      { name: 'files_read', args: '' },
    ]),
  );
  expect((await choose()).requests.map(({ args }) => args)).toEqual([{ city: 'Oslo' }, {}]);
});

test('arguments before which an answer was cut off are not taken for none', async () => {
  const cut = { finishReason: 'length' };
  const read = (args: string) => ({ name: 'files_read', args });
  server.script(callsTools([OSLO, read('')], cut), callsTools([read(''), OSLO], cut));
  expect((await choose()).requests.map(({ toolName }) => toolName)).toEqual(['files.read', 'weather']);
  const [, , , tool] = server.requests[1]!.body.messages;
  expect(JSON.parse(String(tool!.content))).toMatchObject({
    error: expect.stringMatching(/not a JSON object/),
  });
});

test('of an answer with more calls than are made none is made, and the model is asked once more', async () => {
  server.script(callsTools(Array(51).fill(OSLO)), callsTools(Array(50).fill(OSLO)));
  expect((await choose()).requests).toHaveLength(50);
  expect(server.requests[1]!.body.messages).toEqual([
    { role: 'user', content: expect.stringMatching(/^Hello there\n\n.*51 calls.*at most 50/) },
  ]);
});

test('what a server wants back with its calls is sent back, also with an objection', async () => {
  const signed = { google: { thought_signature: 'c2lnbmVk' } };
  const calling = (name: string): Behaviour => {
    const call = { id: 'call_a', function: { name, arguments: '{"city":"Oslo"}' }, extra_content: signed };
    const message = { content: null, reasoning_content: 'Where?', tool_calls: [call] };
    return (_request, response) => sendJson(response, 200, { choices: [{ message }] });
  };
  server.script(calling('teleport'), calling('weather'), says('Fine.'));
  const { requests, thoughts } = await choose();
  const toolRequests = [{ id: 'call_a', toolName: 'weather', args: { city: 'Oslo' }, extra: signed }];
  expect([requests, thoughts]).toEqual([toolRequests, 'Where?']);
  const asked = { role: 'assistant', content: '', toolRequests, thoughts: 'Where?' } as const;
  const messages = [...HELLO.messages, asked, { role: 'tool', requestId: 'call_a', content: 'sun' } as const];
  await choose({ ...REQUEST, messages });
  for (const { body } of server.requests.slice(1))
    expect(body.messages[1]).toMatchObject({
      reasoning_content: 'Where?',
      tool_calls: [{ id: 'call_a', extra_content: signed }],
    });
});

test('ids that are missing or taken are replaced', async () => {
  server.script(callsTools([OSLO, { ...OSLO, id: '' }, { ...OSLO, id: 'call_z' }]));
  const asked = [{ id: 'call_a', toolName: 'weather', args: { city: 'Bergen' } }];
  const messages = [
    ...HELLO.messages,
    { role: 'assistant', content: '', toolRequests: asked },
    { role: 'tool', requestId: 'call_a', content: 'rain' },
  ] as const;
  const ids = (await choose({ ...REQUEST, messages })).requests.map(({ id }) => id);
  expect(new Set([...ids, 'call_a']).size).toBe(4);
  expect(ids[2]).toBe('call_z');
});

test.each([
  ['an unknown tool', [{ name: 'teleport', args: {} }], /no tool "teleport".*weather, files_read/],
  ['an argument of the wrong type', [{ name: 'weather', args: { city: 7 } }], /args\.city must be a string/],
  ['a missing argument', [{ name: 'weather', args: {} }], /args\.city is required/],
  ['arguments that are no JSON', [{ name: 'weather', args: '{"city": ' }], /not a JSON object/],
  ['arguments that are no object', [{ name: 'weather', args: '[1]' }], /not a JSON object/],
])('%s is told to the model, which may correct it once', async (_name, calls, problem) => {
  server.script(callsTools(calls), callsTools([OSLO]));
  expect(await choose()).toMatchObject({
    requests: [{ toolName: 'weather', args: { city: 'Oslo' } }],
    usage: { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
  });
  const [, assistant, tool] = server.requests[1]!.body.messages;
  expect(assistant).toMatchObject({ role: 'assistant', tool_calls: [{ id: 'call_0' }] });
  expect(tool).toMatchObject({ role: 'tool', tool_call_id: 'call_0' });
  expect(JSON.parse(String(tool!.content))).toMatchObject({ error: expect.stringMatching(problem) });
});

test.each([
  ['multi_tool_use.parallel', 'multi_tool_use_parallel'],
  ['x'.repeat(100), 'x'.repeat(64)],
  ['', '_'],
])('a made-up name is repeated in a form that OpenAI accepts: %j', async (name, repeated) => {
  server.script(callsTools([{ name, args: {} }]), callsTools([OSLO]));
  expect(await choose()).toMatchObject({ requests: [{ toolName: 'weather' }] });
  const [, assistant] = server.requests[1]!.body.messages;
  expect(assistant).toMatchObject({ tool_calls: [{ function: { name: repeated } }] });
});

test('every call of an invalid answer is answered', async () => {
  server.script(callsTools([OSLO, { name: 'teleport', args: {} }]), says('Then not.'));
  expect(await choose()).toMatchObject({ requests: [], content: 'Then not.' });
  const tools = server.requests[1]!.body.messages.filter(({ role }) => role === 'tool');
  expect(tools).toMatchObject([
    { tool_call_id: 'call_a', content: expect.stringContaining('another call is invalid') },
    { tool_call_id: 'call_1', content: expect.stringContaining('teleport') },
  ]);
});

test('where a tool is required, an answer without one is asked for again', async () => {
  server.script(says('Sunny, I guess.'), callsTools([OSLO]));
  expect(await choose({ ...REQUEST, choice: 'required' })).toMatchObject({ requests: [{ id: 'call_a' }] });
  expect(server.requests.map(({ body }) => body.tool_choice)).toEqual(['required', 'required']);
  expect(server.requests[1]!.body.messages.at(-1)).toMatchObject({ role: 'user' });
});

test('two invalid answers are an error, and no third is asked for', async () => {
  server.otherwise(callsTools([{ name: 'teleport', args: {} }]));
  expect(await errorOf(choose())).toMatchObject({
    code: 'MODEL_OUTPUT_INVALID',
    details: { provider: 'hosted', model: 'test-model', problem: expect.stringContaining('teleport') },
    usage: { totalTokens: 30 },
  });
  expect(server.requests).toHaveLength(2);
});

test('an error stays short and without the key, however many tools and calls there are', async () => {
  const tools = Array.from({ length: 1_000 }, (_, at) => ({ ...WEATHER, name: `tool-${at}` }));
  const calls = Array.from({ length: 50 }, () => ({ name: `x ${KEY}`, args: {} }));
  server.otherwise(callsTools(calls));
  const error = await errorOf(choose({ ...REQUEST, tools }));
  expect(error.code).toBe('MODEL_OUTPUT_INVALID');
  expect(error.message.length).toBeLessThan(1_000);
  expect(JSON.stringify(error.details).length).toBeLessThan(1_000);
  expect(error.message + JSON.stringify(error.details)).not.toContain(KEY);
});
