import type { ChatEvent } from '../../../src/llm/provider';
import { fails, type ModelServer, says, startModelServer, streams } from '../../support/model-server';
import { waitFor } from '../../support/wait';
import { collect, context, errorOf, HELLO, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const open = (overrides = {}) => providerOf(server).stream(HELLO, context(overrides));

test('tokens as they come, then the whole', async () => {
  server.script(says('Hello dear world'));
  expect(await collect(open())).toEqual({
    texts: ['Hello ', 'dear ', 'world'],
    end: {
      provider: 'hosted',
      model: 'test-model',
      content: 'Hello dear world',
      finishReason: 'stop',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
    },
  });
  expect(server.requests[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test('an answer that ends at the most tokens says so', async () => {
  server.script(says('Hello', { finishReason: 'length' }));
  expect((await collect(open())).end).toMatchObject({ finishReason: 'length' });
});

test('usage is counted where the server does not tell it', async () => {
  server.script(says('Hello, world', { usage: null }));
  expect((await collect(open())).end.usage).toEqual({ promptTokens: 4, completionTokens: 5, totalTokens: 9 });
});

test.each(['cut', 'short', 'error', 'garbled'] as const)('the ending "%s" is an error', async (ending) => {
  const printed = jest.spyOn(console, 'error');
  server.otherwise(streams(['Hello ', 'wor'], { ending }));
  const seen: ChatEvent[] = [];
  const outcome = errorOf(
    (async () => {
      for await (const event of open()) seen.push(event);
    })(),
  );
  expect(await outcome).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  expect(seen).toEqual([
    { type: 'token', text: 'Hello ' },
    { type: 'token', text: 'wor' },
  ]);
  expect(printed).not.toHaveBeenCalled();
  // The provider cannot take back text that it has passed on.
  expect(server.requests).toHaveLength(1);
});

test('a withheld answer is an error', async () => {
  server.script(says('I', { finishReason: 'content_filter' }));
  expect(await errorOf(collect(open()))).toMatchObject({ code: 'MODEL_OUTPUT_INVALID' });
});

test('the start is tried again', async () => {
  server.script(fails(503), says('Hi'));
  expect(await collect(open())).toMatchObject({ texts: ['Hi'] });
});

test('an abort in the middle ends the loop and closes the connection', async () => {
  server.script(streams(['Hello '], { ending: 'hang' }));
  const controller = new AbortController();
  const reason = new Error('enough');
  const outcome = errorOf(
    (async () => {
      for await (const _ of open({ signal: controller.signal })) controller.abort(reason);
    })(),
  );
  expect(await outcome).toBe(reason);
  await waitFor(() => server.requests[0]!.closed, { what: 'the connection to be closed' });
});

test('the time limit holds in the middle', async () => {
  server.script(streams(['Hello '], { ending: 'hang' }));
  const error = await errorOf(collect(open({ timeoutMs: 300 })));
  expect(error).toMatchObject({ code: 'MODEL_TIMEOUT', details: { timeout: 300 } });
  await waitFor(() => server.requests[0]!.closed, { what: 'the connection to be closed' });
});

test('leaving the loop closes the connection', async () => {
  server.script(streams(['Hello '], { ending: 'hang' }));
  for await (const event of open()) {
    expect(event).toEqual({ type: 'token', text: 'Hello ' });
    break;
  }
  await waitFor(() => server.requests[0]!.closed, { what: 'the connection to be closed' });
});
