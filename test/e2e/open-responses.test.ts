import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { asked, playsAgent } from '../support/agent';
import { openEvents, readEvents } from '../support/event-stream';
import { PNG } from '../support/files';
import { LEXICAL } from '../support/memories';
import { callsTools, type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { parseEvent, responseSchema } from '../support/open-responses';
import { type Api, openStage, type Stage } from '../support/stage';

/** A test for each case of the compliance suite that Open Responses publishes, but that of its schemas alone. */
let stage: Stage;
let model: ModelServer;
let api: Api;
beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  api = await stage.allInOne({ ...LEXICAL, ...hostedBy(model) });
});
beforeEach(() => model.reset());
afterAll(async () => {
  await stage.close();
  await model.close();
});

const message = (role: string, content: unknown, more: object = {}) => ({
  type: 'message',
  role,
  content,
  ...more,
});
const bodyOf = (input: object[], more: object) => ({ model: 'holdfast', input, ...more });

async function respond(input: object[], more: object = {}) {
  const { status, body } = await api.post('/v1/responses', bodyOf(input, more));
  expect(status).toBe(200);
  return responseSchema.parse(body);
}

/** Streams a response, and checks each event by the schema of its type. */
async function stream(input: object[], more: object = {}) {
  const response = await openEvents(`${api.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(input, { ...more, stream: true })),
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const events = [];
  for await (const { event, data } of readEvents(response)) {
    parseEvent(data);
    expect(data.type).toBe(event);
    events.push(data);
  }
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  return {
    events,
    types: events.map(({ type }) => type),
    response: responseSchema.parse(events.at(-1).response),
  };
}

const textOf = ({ output: [item] }: Awaited<ReturnType<typeof respond>>) =>
  item?.type === 'message' ? item.content[0]?.text : undefined;
/** What the model was asked for the answer. */
const askedText = () => JSON.stringify(asked(model.requests, 'answer').at(-1)?.body.messages);

const WEATHER = message('user', "What's the weather like in San Francisco?");
const TOOLS = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Get the current weather for a location',
    parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  },
];
const callsWeather = () =>
  model.otherwise(
    playsAgent({ plan: callsTools([{ name: 'get_weather', args: { location: 'San Francisco, CA' } }]) }),
  );
const cancel = ({ id }: { readonly id: string }) => api.post(`/v1/responses/${id}/cancel`, {});

test('Basic Text Response', async () => {
  model.otherwise(playsAgent({ answer: says('Hello, how are you?') }));
  const response = await respond([message('user', 'Say hello in exactly 3 words.')]);
  expect([response.status, textOf(response)]).toEqual(['completed', 'Hello, how are you?']);
  expect(response.completed_at).toBeGreaterThanOrEqual(response.created_at);
});

test('Assistant Message Phase', async () => {
  model.otherwise(playsAgent({ answer: says('It is done.') }));
  const response = await respond([
    message('user', 'Read the file'),
    message('assistant', 'I look into the file first.', { phase: 'commentary' }),
    message('user', 'And?'),
  ]);
  expect(response.status).toBe('completed');
  expect(askedText()).toContain('I look into the file first.');
});

test('Streaming Response', async () => {
  model.otherwise(playsAgent({ answer: says('1, 2, 3, 4, 5') }));
  const { events, types, response } = await stream([message('user', 'Count from 1 to 5.')]);
  expect([response.status, textOf(response)]).toEqual(['completed', '1, 2, 3, 4, 5']);
  expect(types.slice(0, 4)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
  ]);
  expect(types.slice(-4)).toEqual([
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
  expect(deltas.map(({ delta }) => delta).join('')).toBe('1, 2, 3, 4, 5');
});

test('System Prompt', async () => {
  model.otherwise(playsAgent({ answer: says('Ahoy!') }));
  const response = await respond([
    message('system', 'You are a pirate. Always respond in pirate speak.'),
    message('user', 'Say hello.'),
  ]);
  expect([response.status, textOf(response)]).toEqual(['completed', 'Ahoy!']);
  expect(askedText()).toContain('You are a pirate.');
});

test('Tool Calling', async () => {
  callsWeather();
  const response = await respond([WEATHER], { tools: TOOLS, tool_choice: 'required' });
  expect(response).toMatchObject({
    output: [{ type: 'function_call', name: 'get_weather', arguments: '{"location":"San Francisco, CA"}' }],
    tools: TOOLS,
    tool_choice: 'required',
  });
  expect((await api.get(`/v1/responses/${response.id}`)).body).toEqual(response);
  await cancel(response);
});

test('Tool Calling (Streaming)', async () => {
  callsWeather();
  const chosen = { type: 'function', name: 'get_weather' };
  const { events, types, response } = await stream([WEATHER], { tools: TOOLS, tool_choice: chosen });
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
  for (const { item } of [events[2], events[5]])
    expect(item).toMatchObject({ type: 'function_call', name: 'get_weather' });
  expect(response).toMatchObject({ tools: TOOLS, tool_choice: chosen });
  await cancel(response);
});

test('Image Input', async () => {
  model.otherwise(playsAgent({ answer: says('A red heart.') }));
  const url = `data:image/png;base64,${PNG.toString('base64')}`;
  const response = await respond([
    message('user', [
      { type: 'input_text', text: 'What do you see in this image?' },
      { type: 'input_image', image_url: url },
    ]),
  ]);
  expect([response.status, textOf(response)]).toEqual(['completed', 'A red heart.']);
  expect(askedText()).toContain(url);
});

test('Multi-turn Conversation', async () => {
  model.otherwise(playsAgent({ answer: says('Your name is Alice.') }));
  const response = await respond([
    message('user', 'My name is Alice.'),
    message('assistant', 'Hello Alice! Nice to meet you.'),
    message('user', 'What is my name?'),
  ]);
  expect([response.status, textOf(response)]).toEqual(['completed', 'Your name is Alice.']);
  expect(askedText()).toContain('My name is Alice.');
});

/** The cases of what the service does not have: it answers with an error at once. */
describe('what the service does not have', () => {
  test.each([
    ['Compaction Endpoint', { model: 'holdfast', input: 'Hello' }],
    ['Compaction Missing Required Model', { input: 'Hello' }],
  ])('%s', async (_, body) => {
    expect(await api.post('/v1/responses/compact', body)).toMatchObject({
      status: 405,
      body: { error: { type: 'invalid_request_error', message: expect.any(String) } },
    });
  });

  test('the seven cases of WebSocket', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
    const request = httpRequest(`${api.url}/v1/responses`, { headers: { ...upgrade, ...key } }).end();
    request.once('upgrade', (_response, socket) => socket.destroy(new Error('it is a WebSocket')));
    const [response] = await once(request, 'response');
    response.resume();
    expect(response.statusCode).toBe(405);
  });
});
