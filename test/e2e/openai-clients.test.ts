import { playsAgent } from '../support/agent';
import { runKeys, type Key, WRONG_KEY } from '../support/keys';
import { LEXICAL } from '../support/memories';
import { callsTools, type ModelServer, says, startModelServer } from '../support/model-server';
import { pauses } from '../support/model-servers/pausing';
import { hostedBy, outcomesIn } from '../support/model-service';
import { describeWithClients, type DrivenClient } from '../support/openai-clients';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const FUNCTION = {
  name: 'stock_of',
  description: 'How many pieces there are',
  parameters: {
    type: 'object',
    properties: { item: { type: 'string' } },
    required: ['item'],
    additionalProperties: false,
  },
  strict: true,
};
const QUESTION = { role: 'user', content: 'How many lamps are there?' };
const asks = (content: string) => ({ model: 'holdfast', messages: [{ role: 'user', content }] });

let stage: Stage;
let model: ModelServer;
let api: Api;
/** The same service for callers with keys, and one of these. */
let guarded: Api;
let key: string;
beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  const settings = { ...LEXICAL, ...hostedBy(model) };
  [api, guarded] = await Promise.all([
    stage.api(settings),
    stage.api({ ...settings, AUTH: 'keys' }),
    stage.worker(settings),
  ]);
  ({ key } = await runKeys<Key>(stage.dataDir, 'create', '--name', 'any', '--scopes', 'run'));
});
beforeEach(() => model.reset());
afterAll(async () => {
  await stage.close();
  await model.close();
});

describeWithClients("OpenAI's client for", (start) => {
  let client: DrivenClient;
  beforeAll(() => {
    client = start();
  });
  afterAll(() => client.close());

  const at = (...args: unknown[]) => ({ url: api.url, args });
  const call = (path: string, params: object, ...args: unknown[]) => client.call(path, params, at(...args));
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function collect(path: string, params: object, ...args: unknown[]): Promise<any[]> {
    const events = [];
    for await (const event of client.stream(path, { ...params, stream: true }, at(...args)))
      events.push(event);
    return events;
  }
  const errorOf = (path: string, params: object, ...args: unknown[]) =>
    client.errorOf(path, params, at(...args));
  const respond = (input: unknown, more: object = {}) =>
    call('responses.create', { model: 'holdfast', input, ...more });

  /** A model that calls the function once, and answers with its output. */
  function callsOnce(): void {
    model.otherwise(
      playsAgent({
        plan(request, response) {
          const [output] = outcomesIn(request);
          const next =
            output === undefined
              ? callsTools([{ name: 'stock_of', args: { item: 'lamp' } }])
              : says(`I read ${output}.`);
          return next(request, response);
        },
      }),
    );
  }

  test('lists models and gets one', async () => {
    const { data } = await call('models.list', {});
    expect(data[0]).toMatchObject({ id: 'holdfast', object: 'model' });
    expect(await call('models.retrieve', {}, 'holdfast')).toMatchObject({ id: 'holdfast' });
  });

  test('chats, in one piece and streamed', async () => {
    model.otherwise(playsAgent({ answer: says('Once upon a time. The end.') }));
    const whole = await call('chat.completions.create', asks('Tell me a story'));
    expect(whole).toMatchObject({
      choices: [{ message: { content: 'Once upon a time. The end.' }, finish_reason: 'stop' }],
      usage: { total_tokens: expect.any(Number) },
    });
    const chunks = await collect('chat.completions.create', {
      ...asks('Tell me a story'),
      stream_options: { include_usage: true },
    });
    const texts = chunks.map(({ choices }) => choices[0]?.delta.content ?? '');
    expect(texts.join('')).toBe('Once upon a time. The end.');
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(1);
    expect(chunks.at(-1).usage).toEqual(whole.usage);
  });

  test('runs a function in a chat', async () => {
    callsOnce();
    const messages: object[] = [QUESTION];
    const params = { model: 'holdfast', messages, tools: [{ type: 'function', function: FUNCTION }] };
    const { choices } = await call('chat.completions.create', params);
    expect(choices[0].finish_reason).toBe('tool_calls');
    const [{ id, function: called }] = choices[0].message.tool_calls;
    expect([called.name, JSON.parse(called.arguments)]).toEqual(['stock_of', { item: 'lamp' }]);
    messages.push(choices[0].message, { role: 'tool', tool_call_id: id, content: '7 pieces' });
    const next = await call('chat.completions.create', params);
    expect(next.choices[0].message.content).toBe('I read "7 pieces".');
  });

  test('runs a function in a response, also streamed', async () => {
    callsOnce();
    const tools = [{ type: 'function', ...FUNCTION }];
    const first = await respond([QUESTION], { tools });
    const [called] = first.output;
    expect(called).toMatchObject({ type: 'function_call', name: 'stock_of', arguments: '{"item":"lamp"}' });
    const output = { type: 'function_call_output', call_id: called.call_id, output: '7 pieces' };
    const second = await respond([output], { tools, previous_response_id: first.id });
    expect(second.output[0].content[0].text).toBe('I read "7 pieces".');
    const events = await collect('responses.create', { model: 'holdfast', input: [QUESTION], tools });
    const handed = events.find(({ type }) => type === 'response.function_call_arguments.done');
    expect(handed).toMatchObject({ arguments: '{"item":"lamp"}' });
    const { id } = events.at(-1).response;
    await call('responses.cancel', {}, id);
  });

  test('makes a response and the next one, and finds it again until it is deleted', async () => {
    model.otherwise(playsAgent({ answer: says('Noted.') }));
    const first = await respond('I live in Lisbon', { metadata: { order: '7' }, max_output_tokens: 100 });
    expect(first).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Noted.' }] }] });
    const next = await respond('Where do I live?', { previous_response_id: first.id });
    expect(next.previous_response_id).toBe(first.id);
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('I live in Lisbon');
    const { output_text: _, ...kept } = first;
    expect(await call('responses.retrieve', {}, first.id)).toMatchObject(kept);
    await call('responses.delete', {}, first.id);
    expect(await errorOf('responses.retrieve', {}, first.id)).toMatchObject({ name: 'NotFoundError' });
  });

  test('streams a response, and the rest of it again', async () => {
    model.otherwise(playsAgent({ answer: says('Once upon a time. The end.') }));
    const events = await collect('responses.create', { model: 'holdfast', input: 'Tell me a story' });
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    const texts = events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : ''));
    expect(texts.join('')).toBe('Once upon a time. The end.');
    const { type, response } = events.at(-1);
    expect(type).toBe('response.completed');
    expect(await collect('responses.retrieve', { starting_after: 4 }, response.id)).toEqual(events.slice(5));
  });

  test('starts responses in the background, and cancels one', async () => {
    const { behaviour, release } = pauses('Once ', 'upon a time');
    model.otherwise(playsAgent({ answer: behaviour }));
    const begun = await Promise.all(
      [1, 2].map(() => respond('Tell me a story', { background: true, store: true })),
    );
    const [kept, stopped] = begun.map(({ id, status }) => {
      expect(status).toBe('in_progress');
      return id;
    });
    expect(await call('responses.cancel', {}, stopped)).toMatchObject({ status: 'cancelled' });
    release();
    const ended = await waitFor(
      async () => {
        const response = await call('responses.retrieve', {}, kept);
        return response.status === 'completed' && response;
      },
      { what: 'the response to be completed' },
    );
    expect(ended.output[0].content[0].text).toBe('Once upon a time');
  });

  test('embeds texts', async () => {
    const { data } = await call('embeddings.create', { model: 'lexical-1', input: ['a city', 'a town'] });
    expect(data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual([768, 768]);
  });

  test('throws the errors that OpenAI has', async () => {
    expect(await errorOf('chat.completions.create', { ...asks('Hi'), model: 'gpt-4o' })).toMatchObject({
      name: 'NotFoundError',
      status: 404,
      code: 'model_not_found',
    });
    expect(await errorOf('chat.completions.create', { ...asks('Hi'), n: 2 })).toMatchObject({
      name: 'BadRequestError',
      status: 400,
      param: 'n',
    });
    const withKey = (secret: string) => ({ url: guarded.url, key: secret });
    expect(await client.errorOf('models.list', {}, withKey(WRONG_KEY))).toMatchObject({
      name: 'AuthenticationError',
      status: 401,
      code: 'invalid_api_key',
    });
    expect((await client.call('models.list', {}, withKey(key))).data).not.toEqual([]);
  });
});
