import { shapeConversation } from '../../../src/llm/openai/conversation';
import { fails, type ModelServer, says, startModelServer } from '../../support/model-server';
import { context, errorOf, KEY, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const PIXEL = { name: 'dot.png', type: 'image/png', size: 3, data: 'AAAA' };
const withImage = { messages: [{ role: 'user', content: 'What is it?', files: [PIXEL] }] } as const;
const ask = (
  request: Parameters<ReturnType<typeof providerOf>['chat']>[0],
  name: 'hosted' | 'local' = 'local',
) => providerOf(server, { name }).chat(request, context());

/** What servers answer that take no images, or not this one, with the place where the words were found. */
const REFUSALS: readonly [string, number, string][] = [
  ['OpenAI', 400, 'Invalid content type. image_url is only supported by certain models.'],
  ['OpenAI, of an image', 400, 'You uploaded an unsupported image. Please make sure your image is valid.'],
  ['OpenRouter', 404, 'No endpoints found that support image input'],
  ['vLLM', 400, 'qwen-text is not a multimodal model'],
  ['vLLM with a limit', 400, 'At most 0 image(s) may be provided in one prompt.'],
  [
    'llama.cpp',
    500,
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
  ],
  ['Ollama', 500, 'this model is missing data required for image input'],
  [
    'Ollama, older',
    400,
    'json: cannot unmarshal array into Go struct field Message.messages.content of type string',
  ],
  ['DeepSeek', 422, 'messages[0]: unknown variant `image_url`, expected `text`'],
  [
    'Groq',
    400,
    "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
  ],
  ['FastAPI', 422, '[{"loc":["body","messages",0,"content"],"msg":"Input should be a valid string"}]'],
];

test.each(REFUSALS)('%s says by %i that a model does not take images', async (_server, status, message) => {
  server.otherwise(fails(status, { message: `${message} ${KEY}` }));
  const failure = await errorOf(ask(withImage));
  expect(failure).toMatchObject({
    code: 'MODEL_INPUT_UNSUPPORTED',
    retryable: false,
    details: { provider: 'local', model: 'test-model', kind: 'image' },
  });
  expect(failure.message).toContain(message.slice(0, 40));
  expect(failure.message).not.toContain(KEY);
  expect(server.requests).toHaveLength(1);
});

test.each(REFUSALS)(
  'the same words of %s without an image mean something else',
  async (_server, status, message) => {
    server.otherwise(fails(status, { message }));
    const failure = await errorOf(ask({ messages: [{ role: 'user', content: 'Hi' }] }));
    expect(failure.code).not.toBe('MODEL_INPUT_UNSUPPORTED');
  },
);

test.each([
  ['too long', 400, 'This model has a maximum context length of 4096 tokens, your image does not fit'],
  ['another field', 400, 'temperature is not supported'],
  ['a fault that passes', 500, 'out of memory'],
])('an image is not to blame for what is %s', async (_case, status, message) => {
  server.otherwise(fails(status, { message }));
  expect((await errorOf(ask({ ...withImage, temperature: 0.5 }))).code).not.toBe('MODEL_INPUT_UNSUPPORTED');
});

test.each([
  ['failed to process image: out of memory', 500],
  ['llama runner: unable to load the vision encoder', 500],
  ['error of content: the stream of text broke off', 500],
])('a fault that passes is tried again, also if its words name an image: %s', async (message, status) => {
  server.otherwise(fails(status, { message }));
  const failure = await errorOf(ask(withImage));
  expect(failure).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
});

test.each([
  [404, 'model "llama3.2-vision" not found, try pulling it first'],
  [400, 'The model `llama3.2-vision` does not exist'],
  [404, 'The multimodal model `vision` does not exist'],
])('a model that does not exist is unknown, whatever its name (%i)', async (status, message) => {
  server.otherwise(fails(status, { message }));
  const failure = await errorOf(ask({ ...withImage, model: 'llama3.2-vision' }));
  expect(failure).toMatchObject({ code: 'MODEL_UNKNOWN' });
});

test('a prompt that is too long because of the text of a file is refused for good', async () => {
  const message = 'the request exceeds the available context size, try increasing it';
  server.otherwise(fails(400, { message }));
  const note = { name: 'note.txt', type: 'text/plain', size: 4, text: 'note' };
  const failure = await errorOf(ask({ messages: [{ role: 'user', content: 'Sum it up', files: [note] }] }));
  expect(failure).toMatchObject({
    code: 'MODEL_INPUT_UNSUPPORTED',
    retryable: false,
    details: { provider: 'local', kind: 'text', reason: message },
  });
  expect(server.requests).toHaveLength(1);
  expect((await errorOf(ask({ messages: [{ role: 'user', content: 'Sum it up' }] }))).code).toBe(
    'MODEL_UNAVAILABLE',
  );
});

test('a refusal to a request for a stream is final too', async () => {
  server.otherwise(fails(500, { message: 'image input is not supported' }));
  const provider = providerOf(server, { name: 'local' });
  const failure = await errorOf(provider.chat(withImage, { ...context(), onText: () => undefined }));
  expect(failure.code).toBe('MODEL_INPUT_UNSUPPORTED');
  expect(server.requests).toHaveLength(1);
});

test('images keep their places when messages are joined, and count if the server does not', async () => {
  const image = { type: 'image_url' as const, image_url: { url: 'data:,' } };
  const form = { hasSystem: false, emptyContent: null, hasToolMessages: true } as const;
  const shaped = shapeConversation(
    [
      { role: 'system', content: 'Rules' },
      { role: 'user', content: 'memories' },
      { role: 'user', content: [image, { type: 'text', text: 'What is it?' }] },
    ],
    [],
    form,
  );
  const between = { type: 'text', text: '\n\n' };
  expect(shaped).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Rules' },
        between,
        { type: 'text', text: 'memories' },
        between,
        image,
        { type: 'text', text: 'What is it?' },
      ],
    },
  ]);
  server.otherwise(says('A dot', { usage: null }));
  const { usage } = await ask(withImage);
  expect(usage.promptTokens).toBeGreaterThan(1_000);
  expect(usage.promptTokens).toBeLessThan(1_100);
});
