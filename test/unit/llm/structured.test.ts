import { z } from 'zod';
import { fails, type ModelServer, says, saysJson, startModelServer } from '../../support/model-server';
import { context, errorOf, HELLO, personSchema, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const REQUEST = { ...HELLO, schema: personSchema, schemaName: 'person' };
const ADA = { name: 'Ada', age: 36 };

test('the schema goes with the request, the value comes back checked', async () => {
  server.script(saysJson(ADA));
  const result = await providerOf(server).structured(REQUEST, context());
  expect(result).toMatchObject({ value: ADA, repaired: false, usage: { totalTokens: 15 } });
  expect(server.requests[0]!.body.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: {
      name: 'person',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name', 'age'] },
    },
  });
});

test('defaults and transformations of the schema apply', async () => {
  server.script(saysJson({ at: ' noon ' }));
  const schema = z.object({ at: z.string().transform((text) => text.trim()), often: z.number().default(1) });
  const { value } = await providerOf(server).structured({ ...HELLO, schema, schemaName: 'plan' }, context());
  expect(value).toEqual({ at: 'noon', often: 1 });
});

test.each([
  ['```json\n{"name":"Ada","age":36}\n```'],
  ['Here it is:\n```\n{"name":"Ada","age":36}\n```\nAnything else?'],
  ['Sure! {"name":"Ada","age":36} is it.'],
])('JSON in a wrapping is found: %j', async (text) => {
  server.script(says(text));
  const result = await providerOf(server).structured(REQUEST, context());
  expect(result).toMatchObject({ value: ADA, repaired: false });
});

test.each([
  ['no JSON', says('I would rather not.'), 'it is not JSON'],
  ['the wrong schema', saysJson({ name: 'Ada', age: 'old' }), 'age: '],
])('%s is asked for again once, with what is wrong', async (_name, bad, problem) => {
  server.script(bad, saysJson(ADA));
  const result = await providerOf(server).structured(REQUEST, context());
  expect(result).toMatchObject({
    value: ADA,
    repaired: true,
    usage: { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
  });
  const { messages } = server.requests[1]!.body;
  expect(messages).toHaveLength(3);
  expect(messages[1]).toMatchObject({ role: 'assistant' });
  expect(messages[2]).toMatchObject({ role: 'user', content: expect.stringContaining(problem) });
});

test('of a value that is too long the model is shown the beginning alone', async () => {
  server.script(saysJson({ ...ADA, more: Array(50_000).fill(1) }), saysJson(ADA));
  const result = await providerOf(server).structured(REQUEST, context());
  expect(result).toMatchObject({ value: ADA, repaired: true });
  const [, first, objection] = server.requests[1]!.body.messages;
  expect(String(first!.content).length).toBeLessThanOrEqual(10_000);
  expect(objection!.content).toMatch(/longer than 100000 characters/);
});

test('two answers that do not fit are an error, and no third is asked for', async () => {
  server.otherwise(saysJson({ name: 'Ada' }));
  expect(await errorOf(providerOf(server).structured(REQUEST, context()))).toMatchObject({
    code: 'MODEL_OUTPUT_INVALID',
    retryable: false,
    details: { provider: 'hosted', model: 'test-model', problem: expect.stringContaining('age') },
    usage: { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
  });
  expect(server.requests).toHaveLength(2);
});

test('an answer cut off at the most tokens is told as such', async () => {
  server.otherwise(says('{"name": "Ad', { finishReason: 'length' }));
  const error = await errorOf(providerOf(server).structured(REQUEST, context()));
  expect(error.details).toMatchObject({ problem: expect.stringContaining('cut off') });
});

describe('a server that refuses response_format', () => {
  test('a local one is asked in words, in the repair too', async () => {
    server.script(fails(400, 'bad request'), says('nonsense'), saysJson(ADA));
    const request = {
      ...REQUEST,
      messages: [{ role: 'system', content: 'Be brief.' }, ...HELLO.messages],
    } as const;
    const result = await providerOf(server, { name: 'local' }).structured(request, context());
    expect(result).toMatchObject({ value: ADA, repaired: true });
    expect(server.requests).toHaveLength(3);
    for (const { body } of server.requests.slice(1)) {
      expect(body).not.toHaveProperty('response_format');
      expect(body.messages[0]).toMatchObject({
        role: 'system',
        content: expect.stringMatching(/^Be brief\.\n\n[^]*JSON Schema[^]*"age"/),
      });
    }
  });

  test('a hosted one where it says what it refuses, also after a temporary failure', async () => {
    server.script(fails(500), fails(400, { message: "Invalid parameter: 'response_format'" }), saysJson(ADA));
    const result = await providerOf(server).structured(REQUEST, context());
    expect(result).toMatchObject({ value: ADA, repaired: false });
    expect(server.requests[2]!.body.messages[0]).toMatchObject({ role: 'system' });
  });

  test('another bad request to a hosted one is an error', async () => {
    server.script(fails(400, { message: 'messages are too long' }));
    const error = await errorOf(providerOf(server).structured(REQUEST, context()));
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: false });
    expect(server.requests).toHaveLength(1);
  });
});
