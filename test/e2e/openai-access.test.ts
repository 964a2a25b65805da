import type OpenAI from 'openai';
import { request } from '../support/http';
import { type Key, runKeys, WRONG_KEY } from '../support/keys';
import { errorOf, openAiClient } from '../support/openai';
import { type Service, startService } from '../support/service';

const PAGE = 'https://chat.example';
let service: Service;
let ann: OpenAI;
let bob: OpenAI;
let any: OpenAI;
let reader: OpenAI;
beforeAll(async () => {
  service = await startService({ AUTH: 'keys', CORS_ORIGINS: PAGE });
  [ann, bob, any, reader] = [
    await clientOf('ann', 'run', '--user', 'ann'),
    await clientOf('bob', 'run', '--user', 'bob'),
    await clientOf('any', 'run'),
    await clientOf('reader', 'read'),
  ];
});
afterAll(() => service.stop());

async function clientOf(name: string, scopes: string, ...more: string[]): Promise<OpenAI> {
  const { key } = await runKeys<Key>(service.dataDir, 'create', '--name', name, '--scopes', scopes, ...more);
  return openAiClient(service.url, { apiKey: key });
}

const asks = (client: OpenAI, content: string, params = {}, headers = {}) =>
  client.chat.completions.create(
    { model: 'holdfast', messages: [{ role: 'user', content }], ...params },
    { headers },
  );

test('a wrong key and a scope that is missing are errors in the form of OpenAI', async () => {
  const wrong = openAiClient(service.url, { apiKey: WRONG_KEY });
  expect(await errorOf(asks(wrong, 'Hi'))).toMatchObject({
    status: 401,
    code: 'invalid_api_key',
    type: 'authentication_error',
  });
  for (const call of [
    () => asks(reader, 'Hi'),
    () => reader.models.list(),
    () => reader.responses.retrieve('resp_x'),
  ])
    expect(await errorOf(call())).toMatchObject({
      status: 403,
      code: 'SCOPE_MISSING',
      type: 'permission_error',
    });
});

test('the user is that of the key, and another one is refused', async () => {
  await asks(ann, 'My name is Ada and I live in Porto');
  expect(
    (await asks(ann, 'Where do I live?', { safety_identifier: 'ann' })).choices[0]?.message.content,
  ).toContain('Porto');
  // Open WebUI names ids of its own.
  const inOpenWebUi = await asks(ann, 'Where do I live?', {}, { 'X-OpenWebUI-User-Id': '0f3a' });
  expect(inOpenWebUi.choices[0]?.message.content).toContain('Porto');
  expect((await asks(bob, 'Where do I live?')).choices[0]?.message.content).not.toContain('Porto');
  for (const call of [
    () => asks(ann, 'Hi', { user: 'bob' }),
    () => asks(ann, 'Hi', { safety_identifier: 'bob' }),
    () => asks(ann, 'Hi', {}, { 'X-User-Id': 'bob' }),
    () => ann.responses.create({ model: 'holdfast', input: 'Hi', safety_identifier: 'bob' }),
  ])
    expect(await errorOf(call())).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
});

test('a response is found by its user, and by keys that may name any', async () => {
  const { id, output_text: text } = await ann.responses.create({
    model: 'holdfast',
    input: 'What is 2 times 3?',
  });
  expect(text).toContain('6');
  expect(await errorOf(bob.responses.retrieve(id))).toMatchObject({ status: 404 });
  expect(await errorOf(bob.delete(`/responses/${id}`))).toMatchObject({ status: 404 });
  expect((await any.responses.retrieve(id)).output_text).toBe(text);
  const stream = await ann.responses.retrieve(id, { stream: true });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types.at(-1)).toBe('response.completed');
  await ann.delete(`/responses/${id}`);
  expect(await errorOf(any.responses.retrieve(id))).toMatchObject({ status: 404 });
});

test('pages of other origins may use it', async () => {
  const { status, headers } = await request(`${service.url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin: PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, x-stainless-lang, x-user-id',
    },
  });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
  expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-stainless-lang');
});
