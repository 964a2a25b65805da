import {
  babbles,
  drops,
  fails,
  hangs,
  knowsNoModel,
  type ModelServer,
  refusesKey,
  startModelServer,
} from '../../support/model-server';
import { waitFor } from '../../support/wait';
import { context, errorOf, everythingIn, KEY, METHODS, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

describe.each(METHODS)('$method', ({ good, call }) => {
  test('tells provider, model and usage, and sends the key', async () => {
    server.script(good);
    expect(await call(providerOf(server), context())).toMatchObject({
      provider: 'hosted',
      model: 'test-model',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
    });
    const [request] = server.requests;
    expect(request).toMatchObject({ path: '/v1/chat/completions', body: { model: 'test-model' } });
    expect(request!.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each([
    ['other-model', 'other-model'],
    ['hosted', 'test-model'],
  ])('asked for the model %s, it uses %s', async (asked, used) => {
    server.script(good);
    expect(await call(providerOf(server), context(), asked)).toMatchObject({ model: used });
    expect(server.requests[0]!.body.model).toBe(used);
  });

  test('tries a temporary failure again', async () => {
    server.script(fails(500), drops(), fails(429, { message: 'slow down' }), good);
    await call(providerOf(server, { maxAttempts: 4 }), context());
    expect(server.requests).toHaveLength(4);
  });

  test('gives up after the last attempt, as something that may succeed later', async () => {
    server.otherwise(fails(503, { message: 'overloaded' }));
    const error = await errorOf(call(providerOf(server), context()));
    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      message: 'The model provider "hosted" cannot answer: it answered 503 (after 3 attempts)',
      details: { provider: 'hosted', reason: 'it answered 503' },
    });
    expect(server.requests).toHaveLength(3);
  });

  test('an unknown model is named', async () => {
    server.script(knowsNoModel());
    const error = await errorOf(call(providerOf(server), context(), 'gpt-99'));
    expect(error).toMatchObject({
      code: 'MODEL_UNKNOWN',
      retryable: false,
      message: expect.stringMatching(/hosted.*gpt-99/),
      details: { provider: 'hosted', model: 'gpt-99' },
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a call that outlasts its time ends and closes its request', async () => {
    server.script(hangs());
    const error = await errorOf(call(providerOf(server), context({ timeoutMs: 150 })));
    expect(error).toMatchObject({
      code: 'MODEL_TIMEOUT',
      details: { provider: 'hosted', model: 'test-model', timeout: 150 },
    });
    await waitFor(() => server.requests[0]!.closed, { what: 'the request to be closed' });
  });

  test("an abort rejects with the signal's reason and closes the request", async () => {
    server.script(hangs());
    const controller = new AbortController();
    const outcome = errorOf(call(providerOf(server), context({ signal: controller.signal })));
    await waitFor(() => server.requests.length === 1, { what: 'the request' });
    const reason = new Error('cancelled by the caller');
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await waitFor(() => server.requests[0]!.closed, { what: 'the request to be closed' });
    expect(server.requests).toHaveLength(1);
  });

  test('an abort before the start sends nothing', async () => {
    const reason = new Error('too late');
    const outcome = errorOf(call(providerOf(server), context({ signal: AbortSignal.abort(reason) })));
    expect(await outcome).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ['401', refusesKey(401)],
    ['403', refusesKey(403)],
    ['400', fails(400, { message: `bad request of ${KEY} and sk-abc123` })],
    ['400 as text', fails(400, `nothing for Bearer ${KEY}`)],
    ['404', fails(404, { message: `no model for ${KEY}` })],
    ['500', fails(500, { message: `crashed with ${KEY}` }, { 'x-key': KEY })],
    ['a broken answer', babbles()],
    ['a dropped connection', drops()],
  ])('the key is in no error: %s', async (_name, behaviour) => {
    server.otherwise(behaviour);
    const error = await errorOf(call(providerOf(server, { maxAttempts: 1 }), context()));
    expect(error.code).toMatch(/^MODEL_/);
    expect(everythingIn(error)).not.toContain(KEY);
    expect(everythingIn(error)).not.toMatch(/sk-abc|bearer/i);
  });
});
