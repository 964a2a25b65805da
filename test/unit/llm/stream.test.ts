import { fails, hangs, type ModelServer, says, startModelServer, streams } from '../../support/model-server';
import { sendJson } from '../../support/stub-peer';
import { waitFor } from '../../support/wait';
import { context, errorOf, HELLO, providerOf } from './harness';

let server: ModelServer;
let heard: string[];
beforeEach(async () => {
  server = await startModelServer();
  heard = [];
});
afterEach(() => server.close());

const onText = (soFar: string): void => void heard.push(soFar);
const ask = (overrides = {}, options = {}) =>
  providerOf(server, options).chat(HELLO, { ...context(overrides), onText });
/** Whether each request that arrived asked for a stream. */
const asked = (): boolean[] => server.requests.map(({ body }) => body.stream === true);

test('text is reported as it grows', async () => {
  server.script(says('Hello dear world'));
  expect(await ask()).toEqual({
    provider: 'hosted',
    model: 'test-model',
    content: 'Hello dear world',
    finishReason: 'stop',
    usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
  });
  expect(heard).toEqual(['Hello ', 'Hello dear ', 'Hello dear world']);
  expect(server.requests[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test('a long text is reported in steps that grow with it, because each report may read the whole', async () => {
  const pieces = Array.from({ length: 20_000 }, (_, index) => `${index} `);
  server.script(streams(pieces));
  expect((await ask()).content).toBe(pieces.join(''));
  expect(heard.length).toBeLessThan(3_000);
  expect(heard.at(-1)!.length).toBeGreaterThan(100_000);
});

test('thoughts in front of a text are neither reported nor part of it', async () => {
  server.script(says('<think> Who is it? </think> Hello you', { usage: null }));
  const { content, usage } = await ask();
  expect(content).toBe('Hello you');
  expect(heard).toEqual(['Hello ', 'Hello you']);
  expect(usage.completionTokens).toBeGreaterThan(10);
});

test('text that no one hears is asked for as a whole', async () => {
  server.script(says('Hello'));
  expect(await providerOf(server).chat(HELLO, context())).toMatchObject({ content: 'Hello' });
  expect(asked()).toEqual([false]);
});

test('an answer that ends at the most tokens says so', async () => {
  server.script(says('Hello', { finishReason: 'length' }));
  expect(await ask()).toMatchObject({ finishReason: 'length' });
});

test('usage is counted where the server does not report it', async () => {
  server.script(says('Hello, world', { usage: null }));
  expect((await ask()).usage).toEqual({ promptTokens: 4, completionTokens: 5, totalTokens: 9 });
});

test('a withheld answer is an error', async () => {
  server.script(says('I', { finishReason: 'content_filter' }));
  expect(await errorOf(ask())).toMatchObject({ code: 'MODEL_OUTPUT_INVALID' });
});

describe.each(['cut', 'short', 'error', 'garbled'] as const)('an answer with the ending "%s"', (ending) => {
  test('that broke off is asked for as a whole, and its tokens are counted', async () => {
    const printed = jest.spyOn(console, 'error');
    server.script(streams(['Hello ', 'wor'], { ending }), says('Hi'));
    expect(await ask()).toMatchObject({
      content: 'Hi',
      usage: { promptTokens: 10 + 4, completionTokens: 5 + 3 },
    });
    expect(heard).toEqual(['Hello ', 'Hello wor']);
    expect(asked()).toEqual([true, false]);
    expect(printed).not.toHaveBeenCalled();
  });

  test('before any text is asked for as a whole', async () => {
    server.script(streams([], { ending }), says('Hi'));
    expect(await ask()).toMatchObject({ content: 'Hi', usage: { totalTokens: 15 } });
    expect(asked()).toEqual([true, false]);
  });

  test('is asked for as a whole in a single attempt too', async () => {
    server.script(streams(['Hello '], { ending }), says('Hi'));
    expect(await ask({}, { maxAttempts: 1 })).toMatchObject({ content: 'Hi' });
    expect(asked()).toEqual([true, false]);
  });
});

test('an answer that ends with an error is asked for as a whole, and its tokens are counted', async () => {
  server.script(streams(['Hello ', 'wor'], { finishReason: 'error' }), says('Hi'));
  expect(await ask()).toMatchObject({
    content: 'Hi',
    usage: { promptTokens: 10 + 4, completionTokens: 5 + 3 },
  });
  expect(asked()).toEqual([true, false]);
});

test('a server that is busy is asked for a stream again, and after one that broke off for the whole', async () => {
  server.script(fails(503), streams(['Hello '], { ending: 'cut' }), fails(503), fails(503));
  expect(await errorOf(ask({}, { maxAttempts: 3 }))).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('(after 3 attempts)'),
    retryable: true,
  });
  expect(asked()).toEqual([true, true, false, false]);
});

test.each([400, 422, 501])('a server that refuses streams with %i is asked for the whole', async (status) => {
  server.otherwise((request, response) =>
    (request.body.stream === true ? fails(status, { message: 'no streams' }) : says('Hi'))(request, response),
  );
  expect(await ask()).toMatchObject({ content: 'Hi' });
  expect(asked()).toEqual([true, false]);
});

test('a request that is refused either way fails for its own reason', async () => {
  server.script(fails(400, { message: 'no streams' }), fails(400, { message: 'too long' }));
  expect(await errorOf(ask())).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('too long'),
  });
  expect(server.requests).toHaveLength(2);
});

test('a server that answers with the whole is understood', async () => {
  server.script((_request, response) =>
    sendJson(response, 200, { choices: [{ finish_reason: 'stop', message: { content: 'Hi' } }] }),
  );
  expect(await ask()).toMatchObject({ content: 'Hi' });
  expect(asked()).toEqual([true]);
});

test('an abort in the middle is passed on and closes the connection', async () => {
  server.script(streams(['Hello '], { ending: 'hang' }));
  const controller = new AbortController();
  const reason = new Error('enough');
  const hearing = context({ signal: controller.signal });
  const outcome = errorOf(
    providerOf(server).chat(HELLO, { ...hearing, onText: () => controller.abort(reason) }),
  );
  expect(await outcome).toBe(reason);
  await waitFor(() => server.requests[0]!.closed, { what: 'the connection to be closed' });
});

test.each([
  ['in the middle', [streams(['Hello '], { ending: 'hang' })]],
  ['while the whole is asked for', [streams(['Hello '], { ending: 'cut' }), hangs()]],
])('the time limit holds %s, and is named in full', async (_, behaviours) => {
  server.script(...behaviours);
  expect(await errorOf(ask({ timeoutMs: 300 }))).toMatchObject({
    code: 'MODEL_TIMEOUT',
    details: { timeout: 300 },
  });
  await waitFor(() => server.requests.at(-1)!.closed, { what: 'the connection to be closed' });
});

test('a pair of surrogates may come in two pieces, and a lone one is replaced', async () => {
  server.script(streams(['a\ud83d', '\ude00b', '\ud83d']));
  expect((await ask()).content).toBe('a😀b\ufffd');
});
