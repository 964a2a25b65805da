import { once } from 'node:events';
import { APIError } from 'openai';
import { toModelError } from '../../../src/llm/openai/errors';
import { hideKeys } from '../../../src/secrets/hide-keys';
import { freePort } from '../../support/free-port';
import {
  babbles,
  type Behaviour,
  drops,
  fails,
  type ModelServer,
  refusesKey,
  says,
  startModelServer,
} from '../../support/model-server';
import { withHangLimit } from '../../support/hang-limit';
import { waitFor } from '../../support/wait';
import { context, errorOf, HELLO, KEY, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const chatError = (options = {}) => errorOf(providerOf(server, options).chat(HELLO, context()));

test.each<[string, Behaviour, object, number]>([
  [
    'a refused key',
    refusesKey(),
    { retryable: false, details: { provider: 'hosted', reason: 'the provider refuses the key' } },
    1,
  ],
  [
    'a refused key names the setting',
    refusesKey(403),
    { message: expect.stringContaining('OPENAI_API_KEY') },
    1,
  ],
  ['a used-up quota', fails(429, { message: 'quota', code: 'insufficient_quota' }), { retryable: false }, 1],
  [
    'a bad request, in the words of the provider',
    fails(400, { message: 'temperature is too high' }),
    { retryable: false, message: expect.stringMatching(/400.*temperature is too high/) },
    1,
  ],
  [
    'a bad request in the form of another server',
    (_request, response) => response.writeHead(422).end('{"detail":"messages are too long"}') as never,
    { message: expect.stringMatching(/422.*messages are too long/) },
    1,
  ],
  [
    'a bad request in the form of Google',
    (_request, response) => response.writeHead(400).end('[{"error":{"message":"no such field"}}]') as never,
    { message: expect.stringMatching(/400.*no such field/) },
    1,
  ],
  [
    'an address without an API',
    fails(404, '404 page not found'),
    { retryable: false, message: expect.stringContaining('OPENAI_BASE_URL') },
    1,
  ],
  ['an address that is not quite right', fails(404, { message: 'Not Found' }), { retryable: false }, 1],
  ['an answer that is no JSON', babbles(), { retryable: true }, 3],
  ['an answer of something else', (_r, response) => void response.end('<html>'), { retryable: true }, 3],
  ['a dropped connection', drops(), { retryable: true, message: expect.stringContaining('closed') }, 3],
  ['a conflict', fails(409, {}), { retryable: true }, 3],
  ['a request timeout', fails(408, {}), { retryable: true }, 3],
])('unavailable: %s', async (_name, behaviour, expected, attempts) => {
  server.otherwise(behaviour);
  expect(await chatError()).toMatchObject({ code: 'MODEL_UNAVAILABLE', ...expected });
  expect(server.requests).toHaveLength(attempts);
});

test.each<[string, Behaviour]>([
  ['404 of a local server', fails(404, { message: 'model "test-model" not found, try pulling it first' })],
  [
    '404 without an error object',
    (_request, response) =>
      response.writeHead(404).end('{"message":"The model `test-model` does not exist."}') as never,
  ],
  [
    '404 with the error as text',
    (_r, response) => response.writeHead(404).end('{"error":"no model"}') as never,
  ],
  ['400 that says so', fails(400, { message: "The requested model 'test-model' does not exist." })],
  ['403 for a model of others', fails(403, { message: 'no access', code: 'model_not_found' })],
])('unknown model: %s', async (_name, behaviour) => {
  server.otherwise(behaviour);
  expect(await chatError()).toMatchObject({ code: 'MODEL_UNKNOWN', details: { model: 'test-model' } });
  expect(server.requests).toHaveLength(1);
});

test('a long error does not keep the process busy', () => {
  const error = new APIError(404, { message: 'unknown'.repeat(500_000) }, undefined, new Headers());
  const to = { provider: 'hosted', model: 'test-model', apiKey: KEY } as const;
  expect(withHangLimit(() => toModelError(error, to).message.length)).toBeLessThan(1_000);
});

test('a server that is not there', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
  expect(await chatError({ baseUrl })).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
    details: { provider: 'hosted', reason: 'connection refused' },
  });
});

test('a withheld answer is not passed off as a short one', async () => {
  server.script(says('I', { finishReason: 'content_filter' }));
  expect(await chatError()).toMatchObject({ code: 'MODEL_OUTPUT_INVALID' });
});

test('without a key none is sent', async () => {
  await providerOf(server, { name: 'local', apiKey: undefined }).chat(HELLO, context());
  expect(server.requests[0]!.headers).not.toHaveProperty('authorization');
});

test.each([
  [`Incorrect key ${KEY}, and ${KEY} again`, 'Incorrect key [hidden], and [hidden] again'],
  ['provided: sk-proj-****wxyz.', 'provided: [hidden]'],
  ['header Authorization: Bearer abc.def', 'header Authorization: [hidden]'],
  ['see https://user:pw@example.com/a?key=1 now', 'see https://example.com/a now'],
  ['two\n lines', 'two lines'],
  ['a risk-free task', 'a risk-free task'],
])('words of a provider are shown without keys: %s', (words, shown) => {
  expect(hideKeys(words, KEY)).toBe(shown);
});

test('half a key at the end of what is shown is none', () => {
  expect(hideKeys(`${'x'.repeat(490)} ${KEY}`, KEY)).not.toContain(KEY.slice(0, 6));
});

test.each<[string, number]>([
  ['an answer', 200],
  ['an error', 500],
])('%s without an end is given up', async (_name, status) => {
  const chunk = ' '.repeat(1_048_576);
  server.otherwise(async (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    for (let sent = 0; sent < 64 && !response.destroyed; sent += 1) {
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end('{}');
  });
  expect(await chatError({ maxAttempts: 1 })).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('more than 16777216 bytes'),
  });
  await waitFor(() => server.requests[0]!.closed, { what: 'the connection to be closed' });
});
