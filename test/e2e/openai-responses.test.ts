import type OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { asked, playsAgent } from '../support/agent';
import { LEXICAL, newUser } from '../support/memories';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { collectResponse, errorOf, openAiClient } from '../support/openai';
import { pauses } from '../support/model-servers/pausing';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;
let model: ModelServer;
let api: Api;
let client: OpenAI;
/** At another API process. */
let elsewhere: OpenAI;
beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  const settings = { ...LEXICAL, ...hostedBy(model) };
  const [first, second] = await Promise.all([
    stage.api(settings),
    stage.api(settings),
    stage.worker(settings),
  ]);
  api = first;
  client = openAiClient(first.url);
  elsewhere = openAiClient(second.url);
});
beforeEach(() => model.reset());
afterAll(async () => {
  await stage.close();
  await model.close();
});

type Params = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>;
const create = (input: OpenAI.Responses.ResponseInput | string, params: Params = {}): Promise<Response> =>
  client.responses.create({ model: 'holdfast', input, ...params });

test('a response has what its request said, and is found by another process', async () => {
  model.otherwise(playsAgent({ answer: says('Aye, aye.') }));
  const params = {
    instructions: 'You are Captain Mary.',
    metadata: { order: '7' },
    max_output_tokens: 100,
    safety_identifier: newUser(),
  };
  const response = await create('Are you there?', params);
  expect(response).toMatchObject({
    id: expect.stringMatching(/^resp_[0-9a-f-]{36}$/),
    object: 'response',
    status: 'completed',
    model: 'holdfast',
    output_text: 'Aye, aye.',
    error: null,
    ...params,
  });
  expect(Math.abs(response.created_at - Date.now() / 1_000)).toBeLessThan(60);
  expect(await elsewhere.responses.retrieve(response.id)).toEqual(response);
  const answer = asked(model.requests, 'answer').at(-1);
  expect(JSON.stringify(answer?.body.messages)).toContain('You are Captain Mary.');
});

test('a response that is cut off is incomplete', async () => {
  model.otherwise(playsAgent({ answer: says('Once upon', { finishReason: 'length' }) }));
  const response = await create('Tell me a story', { max_output_tokens: 16 });
  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output_text: 'Once upon',
  });
});

test('previous_response_id carries the conversation without a user', async () => {
  model.otherwise(playsAgent({ answer: says('Noted.') }));
  const first = await create('I live in Lisbon');
  const second = await create('And I like tea', { previous_response_id: first.id });
  expect(second.previous_response_id).toBe(first.id);
  await create('What do you know?', { previous_response_id: second.id });
  const { messages } = asked(model.requests, 'answer').at(-1)!.body;
  expect(messages.slice(1).map(({ content }) => content)).toEqual([
    'I live in Lisbon',
    'Noted.',
    'And I like tea',
    'Noted.',
    'What do you know?',
  ]);
});

test('instructions are those of one request, and system messages stay in the conversation', async () => {
  model.otherwise(playsAgent({ answer: says('Aye.') }));
  const spoken = (content: string) => ({ role: 'user' as const, content });
  const first = await create([{ role: 'system', content: 'You are Captain Mary.' }, spoken('Hello')], {
    instructions: 'Say aye.',
  });
  const second = await create([{ role: 'developer', content: 'You are on land.' }, spoken('Where?')], {
    previous_response_id: first.id,
  });
  await create('And now?', { previous_response_id: second.id, instructions: 'Say no.' });
  const { messages } = asked(model.requests, 'answer').at(-1)!.body;
  const system = JSON.stringify(messages[0]);
  expect(system).toMatch(/Say no\..*You are Captain Mary\..*You are on land\./);
  expect(system).not.toContain('Say aye.');
});

test('a system message that is sent again is read once', async () => {
  model.otherwise(playsAgent({ answer: says('Aye.') }));
  const again = (previous_response_id?: string) =>
    create(
      [
        { role: 'system', content: 'You are Captain Mary.' },
        { role: 'user', content: 'Hello' },
      ],
      previous_response_id === undefined ? {} : { previous_response_id },
    );
  await again((await again()).id);
  const { messages } = asked(model.requests, 'answer').at(-1)!.body;
  expect(JSON.stringify(messages[0]).split('Captain Mary')).toHaveLength(2);
});

test('conversation names the session of a user', async () => {
  model.otherwise(playsAgent({ answer: says('Noted.') }));
  const user = { safety_identifier: newUser() };
  for (const conversation of ['conv_1', { id: 'conv_1' }])
    expect(await create('Hello', { ...user, conversation })).toMatchObject({
      conversation: { id: 'conv_1' },
    });
  expect(await errorOf(create('Hello', { ...user, conversation: '..' }))).toMatchObject({
    status: 400,
    param: 'conversation',
  });
  for (const more of [{}, { ...user, previous_response_id: 'resp_x' }])
    expect(await errorOf(create('Hello', { conversation: 'conv_1', ...more }))).toMatchObject({
      status: 400,
      param: 'conversation',
    });
  const sessions = await waitFor(
    async () => {
      const { body } = await api.get(`/api/runs?userId=${user.safety_identifier}&sessionId=conv_1`);
      return body.data.runs.length === 2 ? body.data.runs : undefined;
    },
    { what: 'the turns of the session to be listed' },
  );
  expect(sessions).toHaveLength(2);
});

test('a stream that is cut goes on at another process, with the same numbers', async () => {
  const { behaviour, release } = pauses('Once upon a time, ', 'it was told. The end.');
  model.otherwise(playsAgent({ answer: behaviour }));
  const stream = await client.responses.create({ model: 'holdfast', input: 'Tell me a story', stream: true });
  const heard: ResponseStreamEvent[] = [];
  for await (const event of stream) {
    heard.push(event);
    if (event.type === 'response.output_text.delta') break;
  }
  const { id } = (heard[0] as Extract<ResponseStreamEvent, { type: 'response.created' }>).response;
  const last = heard.at(-1)!.sequence_number;
  const resumed = await elsewhere.responses.retrieve(id, { stream: true, starting_after: last });
  release();
  heard.push(...(await collectResponse(resumed)));
  expect(heard.map(({ sequence_number: number }) => number)).toEqual(heard.map((_, index) => index));
  const types = heard.map(({ type }) => type);
  expect(types.slice(0, 5)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
  ]);
  expect(types.slice(-4)).toEqual([
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  const said = heard
    .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
    .join('');
  expect(said).toBe('Once upon a time, it was told. The end.');
  // The run has ended, and the same events are made of it again.
  expect(await collectResponse(await elsewhere.responses.retrieve(id, { stream: true }))).toEqual(heard);
  expect(
    await collectResponse(
      await client.responses.retrieve(id, { stream: true, starting_after: heard.length - 2 }),
    ),
  ).toEqual(heard.slice(-1));
});

test('a response in the background is in progress, and can be cancelled', async () => {
  const { behaviour, release } = pauses('Once ', 'upon a time');
  model.otherwise(playsAgent({ answer: behaviour }));
  const response = await create('Tell me a story', { background: true });
  expect(response).toMatchObject({ status: 'in_progress', background: true, output: [] });
  await waitFor(() => asked(model.requests, 'answer').length === 1, { what: 'the model to be asked' });
  expect(await client.responses.cancel(response.id)).toMatchObject({ id: response.id, status: 'cancelled' });
  release();
  await waitFor(async () => (await elsewhere.responses.retrieve(response.id)).status === 'cancelled', {
    what: 'the response to be cancelled',
  });
  const events = await collectResponse(await elsewhere.responses.retrieve(response.id, { stream: true }));
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'cancelled' } });
  expect(await errorOf(create('Go on', { previous_response_id: response.id }))).toMatchObject({
    status: 400,
    param: 'previous_response_id',
  });
});

test.each([
  ['that has ended', false],
  ['that is in progress', true],
])('a response %s is gone at once when it is deleted', async (_, background) => {
  const { behaviour, release } = pauses('Once ', 'upon a time');
  model.otherwise(playsAgent({ answer: background ? behaviour : says('Hi') }));
  const { id } = await create('Tell me a story', { background });
  expect(await client.delete(`/responses/${id}`)).toEqual({ id, object: 'response', deleted: true });
  release();
  for (const one of [client, elsewhere]) {
    expect(await errorOf(one.responses.retrieve(id))).toMatchObject({
      status: 404,
      type: 'invalid_request_error',
    });
    expect(await errorOf(one.delete(`/responses/${id}`))).toMatchObject({ status: 404 });
  }
});

test('another user finds no response', async () => {
  model.otherwise(playsAgent({ answer: says('Hi') }));
  const { id } = await create('Hello', { safety_identifier: newUser() });
  const other = { headers: { 'X-User-Id': newUser() } };
  for (const call of [
    () => client.responses.retrieve(id, {}, other),
    () => client.responses.cancel(id, other),
    () => client.delete(`/responses/${id}`, other),
    () => client.responses.create({ model: 'holdfast', input: 'x', previous_response_id: id }, other),
  ])
    expect(await errorOf(call())).toMatchObject({ status: 404 });
});

test.each([["a tool of OpenAI's", { tools: [{ type: 'web_search' }] }, 'tools[0].type']])(
  '%s is refused',
  async (_, params, param) => {
    expect(await errorOf(create('x', params as Params))).toMatchObject({
      status: 400,
      param,
      code: 'unsupported',
    });
  },
);

test('that a response is not to be kept is named as ignored', async () => {
  const { response } = await client.responses
    .create({ model: 'holdfast', input: 'Hi', store: false })
    .withResponse();
  expect(response.headers.get('x-holdfast-ignored')).toBe('store');
});
