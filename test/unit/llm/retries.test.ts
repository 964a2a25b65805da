import { fails, limitsRate, type ModelServer, says, startModelServer } from '../../support/model-server';
import { waitFor } from '../../support/wait';
import { context, errorOf, HELLO, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const gap = (): number => server.requests[1]!.receivedAt - server.requests[0]!.receivedAt;

test('Retry-After in seconds is kept', async () => {
  server.script(limitsRate('1'), says('Hi'));
  expect(await providerOf(server).chat(HELLO, context())).toMatchObject({ content: 'Hi' });
  expect(gap()).toBeGreaterThanOrEqual(990);
});

test('Retry-After as a date is kept', async () => {
  // Dates have whole seconds, so this is one to two seconds ahead.
  const at = Math.floor(Date.now() / 1_000) * 1_000 + 2_000;
  server.script(limitsRate(new Date(at).toUTCString()), says('Hi'));
  await providerOf(server).chat(HELLO, context());
  expect(Date.now()).toBeGreaterThanOrEqual(at - 10);
});

test('retry-after-ms goes before Retry-After', async () => {
  // A wait of a minute would not fit into the time left, and the call would fail.
  server.script(fails(429, {}, { 'retry-after': '60', 'retry-after-ms': '200' }), says('Hi'));
  await providerOf(server).chat(HELLO, context());
  expect(gap()).toBeGreaterThanOrEqual(190);
});

test('a wait beyond the time left is not begun, and passed on', async () => {
  // A wait for either time would exceed the time limit of the test.
  server.otherwise(limitsRate('3600'));
  const error = await errorOf(providerOf(server).chat(HELLO, context({ timeoutMs: 600_000 })));
  expect(error).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
    retryAfterMs: 3_600_000,
    details: { provider: 'hosted', reason: 'too many requests', retryAfterMs: 3_600_000 },
  });
  expect(server.requests).toHaveLength(1);
});

test('without Retry-After the waits are those of the attempts', async () => {
  const waited: number[] = [];
  const retryDelayMs = (attempt: number): number => {
    waited.push(attempt);
    return 1;
  };
  server.script(fails(500), fails(502), says('Hi'));
  await providerOf(server, { retryDelayMs }).chat(HELLO, context());
  expect(waited).toEqual([1, 2]);
});

test.each(['error', 'abort'])(
  'an answer that ends with the reason "%s" is asked for again',
  async (finishReason) => {
    server.script(says('Hel', { finishReason }), says('Hello'));
    expect(await providerOf(server).chat(HELLO, context())).toMatchObject({ content: 'Hello' });
    server.otherwise(says('Hel', { finishReason }));
    expect(await errorOf(providerOf(server).chat(HELLO, context()))).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('it failed while it answered (after 3 attempts)'),
      retryable: true,
    });
  },
);

test('an abort ends a wait', async () => {
  // The wait fits into the time left, and would exceed the time limit of the test.
  server.otherwise(limitsRate('600'));
  const controller = new AbortController();
  const limits = context({ signal: controller.signal, timeoutMs: 3_600_000 });
  const outcome = errorOf(providerOf(server).chat(HELLO, limits));
  await waitFor(() => server.requests.length === 1, { what: 'the request' });
  controller.abort('stopped');
  expect(await outcome).toBe('stopped');
  expect(server.requests).toHaveLength(1);
});

test('a single attempt is possible', async () => {
  server.otherwise(fails(500));
  const error = await errorOf(providerOf(server, { maxAttempts: 1 }).chat(HELLO, context()));
  expect(error.message).not.toContain('attempts');
  expect(server.requests).toHaveLength(1);
});
