import type OpenAI from 'openai';
import { newUser } from '../support/memories';
import { errorOf, openAiClient } from '../support/openai';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
let client: OpenAI;
beforeAll(async () => {
  service = await useService();
  client = openAiClient(service.url);
});
afterAll(() => service.stop());

type Messages = OpenAI.ChatCompletionMessageParam[];
const asks = (content: string): Messages => [{ role: 'user', content }];
const complete = (
  messages: Messages | string,
  params: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {},
  of: OpenAI = client,
) =>
  of.chat.completions
    .create({
      model: 'holdfast',
      messages: typeof messages === 'string' ? asks(messages) : messages,
      ...params,
    })
    .withResponse();
const textOf = async (...args: Parameters<typeof complete>): Promise<string> =>
  (await complete(...args)).data.choices[0]?.message.content ?? '';

describe('an answer of the built-in rules', () => {
  test('has the id of its run and OpenAI form', async () => {
    const { data, response } = await complete('What is 15 times 7?');
    expect(data).toEqual({
      id: `chatcmpl-${response.headers.get('x-trace-id')}`,
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'holdfast',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: '15 × 7 = 105.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    });
  });

  test('is streamed sentence by sentence, with its usage at the end', async () => {
    const stream = await client.chat.completions.create({
      model: 'holdfast',
      stream: true,
      stream_options: { include_usage: true },
      messages: asks('What can you do?'),
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const whole = await textOf('What can you do?');
    const texts = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter((text) => text !== '');
    expect(texts.join('')).toBe(whole);
    expect(texts.length).toBeGreaterThan(1);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test('of a workflow that takes a text', async () => {
    const stored = await service.post('/api/workflow/workflows', {
      id: 'openai-repeats',
      name: 'Repeats',
      inputs: { text: { type: 'string', description: 'A text', required: true } },
      steps: [{ id: 'say', type: 'llm_call', config: { prompt: 'Repeat: {{input.text}}' } }],
    });
    expect(stored.text).toContain('openai-repeats');
    const model = 'holdfast/workflow/openai-repeats';
    expect((await client.models.list()).data.map(({ id }) => id)).toContain(model);
    const { data, response } = await complete('good morning', { model, temperature: 0.2 });
    expect(data.choices[0]?.message.content).toBe('good morning');
    expect(response.headers.get('x-holdfast-ignored')).toBe('temperature');
    const stream = await client.chat.completions.create({ model, stream: true, messages: asks('hello') });
    let said = '';
    for await (const { choices } of stream) said += choices[0]?.delta.content ?? '';
    expect(said).toBe('hello');
    await service.send('DELETE', '/api/workflow/workflows/openai-repeats');
  });
});

describe('memory', () => {
  test('is neither read nor written without a user, and the messages carry the conversation', async () => {
    const home = 'My name is Ada and I live in Lisbon';
    expect(
      await textOf([...asks(home), { role: 'assistant', content: 'Noted.' }, ...asks('Where do I live?')]),
    ).toContain('Lisbon');
    expect(await textOf('Where do I live?')).not.toContain('Lisbon');
  });

  test.each([
    ['user', (user: string) => [{ user }, {}] as const],
    ['safety_identifier', (user: string) => [{ safety_identifier: user }, {}] as const],
    ['X-User-Id', (user: string) => [{}, { 'X-User-Id': user }] as const],
    ['X-OpenWebUI-User-Id', (user: string) => [{}, { 'X-OpenWebUI-User-Id': user }] as const],
  ])('is that of the user whom %s names', async (_, nameOf) => {
    const [params, headers] = nameOf(newUser());
    const named = openAiClient(service.url, { headers });
    await complete('My name is Ada and I live in Porto', params, named);
    expect(await textOf('Where do I live?', params, named)).toContain('Porto');
    const [otherParams, otherHeaders] = nameOf(newUser());
    const other = openAiClient(service.url, { headers: otherHeaders });
    expect(await textOf('Where do I live?', otherParams, other)).not.toContain('Porto');
  });

  test('has a session for each conversation, unless a header names it', async () => {
    const userId = newUser();
    const sessionsOf = async (): Promise<string[]> =>
      (await service.get(`/api/memory/sessions/${userId}`)).body.data.sessions.map(
        ({ sessionId }: { sessionId: string }) => sessionId,
      );
    const first = asks('I live in Porto');
    await complete(first, { user: userId });
    await complete([...first, { role: 'assistant', content: 'Noted.' }, ...asks('I like tea')], {
      user: userId,
    });
    expect(await sessionsOf()).toHaveLength(1);
    await complete('I have a cat', { user: userId });
    expect(await sessionsOf()).toHaveLength(2);
    await complete(
      'I have a dog',
      {},
      openAiClient(service.url, {
        headers: { 'X-User-Id': userId, 'X-Session-Id': 'garden' },
      }),
    );
    expect(await sessionsOf()).toContain('garden');
  });
});

describe('what cannot be done', () => {
  const refused: readonly [string, object, object][] = [
    ['several answers', { n: 2 }, { param: 'n', code: 'unsupported' }],
    ['probabilities', { logprobs: true }, { param: 'logprobs', code: 'unsupported' }],
    ['audio', { modalities: ['text', 'audio'] }, { param: 'modalities', code: 'unsupported' }],
    [
      "a tool of OpenAI's",
      { tools: [{ type: 'web_search' }] },
      { param: 'tools[0].type', code: 'unsupported' },
    ],
    ['a tool that is demanded of rules', { tool_choice: 'required' }, { param: 'tool_choice' }],
    [
      'an output without its call',
      { messages: [{ role: 'tool', content: '1' }] },
      { param: 'messages[0].tool_call_id' },
    ],
    ['no message of the user', { messages: [{ role: 'system', content: 'x' }] }, { param: 'messages' }],
    ['an empty message', { messages: [{ role: 'user', content: ' ' }] }, { param: 'messages' }],
    ['a schema without a model', { response_format: { type: 'json_object' } }, { param: 'response_format' }],
    ['a temperature above 2', { temperature: 3 }, { param: 'temperature' }],
    ['too many tokens', { max_tokens: 1e9 }, { param: 'max_completion_tokens' }],
    [
      'an image at an address of another kind',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://example.com/a.png' } }] },
        ],
      },
      { param: 'messages[0].content[0].image_url', code: 'VALIDATION' },
    ],
  ];
  test.each(refused)('%s', async (_, params, error) => {
    expect(await errorOf(complete('Hi', params))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      ...error,
    });
  });

  test('parameters without an effect are named', async () => {
    const { response } = await complete('What is 15 times 7?', {
      seed: 1,
      frequency_penalty: 0.5,
      store: false,
      stop: null,
    });
    expect(response.headers.get('x-holdfast-ignored')).toBe('seed, frequency_penalty, store');
  });

  test.each([
    [
      'an unknown model',
      () => complete('Hi', { model: 'gpt-4o' }),
      { status: 404, code: 'model_not_found', param: 'model' },
    ],
    [
      'an unknown agent',
      () => client.models.retrieve('holdfast/nobody'),
      { status: 404, code: 'model_not_found' },
    ],
    ['an unknown path', () => client.get('/fine-tunes'), { status: 404, code: 'PATH_NOT_FOUND' }],
    ['another method', () => client.delete('/chat/completions'), { status: 405, code: 'METHOD_NOT_ALLOWED' }],
    [
      'a body that is too large',
      () => complete('x'.repeat(2_000_000)),
      { status: 413, code: 'BODY_TOO_LARGE' },
    ],
  ])('%s is an error in the form of OpenAI', async (_, call, error) => {
    expect(await errorOf(call())).toMatchObject({ type: 'invalid_request_error', ...error });
  });
});

describe('embeddings', () => {
  const MODEL = 'lexical-1';

  test('are the same as numbers and in base64', async () => {
    const input = ['the capital of Portugal', 'a city'];
    const numbers = await client.embeddings.create({ model: MODEL, input, encoding_format: 'float' });
    const { data, usage, model } = await client.embeddings.create({ model: MODEL, input });
    expect(data).toEqual(numbers.data);
    expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 768],
      [1, 768],
    ]);
    expect([model, usage.prompt_tokens]).toEqual([MODEL, usage.total_tokens]);
    const [alone] = (await client.embeddings.create({ model: MODEL, input: 'a city' })).data;
    expect(alone?.embedding).toEqual(data[1]?.embedding);
  });

  test.each([
    ['tokens', { input: [1, 2] }, { status: 400, param: 'input', code: 'unsupported' }],
    ['dimensions', { dimensions: 3 }, { status: 400, param: 'dimensions', code: 'unsupported' }],
    ['another model', { model: 'text-embedding-3-small' }, { status: 404, code: 'model_not_found' }],
  ])('%s are refused', async (_, params, error) => {
    expect(await errorOf(client.embeddings.create({ model: MODEL, input: 'a', ...params }))).toMatchObject(
      error,
    );
  });
});
