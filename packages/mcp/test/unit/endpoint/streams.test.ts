import { pino } from 'pino';
import { createApp } from '../../../../../api/app';
import { type HttpServer, listen } from '../../../../../api/http/server';
import type { McpEndpoint } from '../../../endpoint/create-mcp';
import { waitFor } from '../../../../../test/support/wait';

let stopping: AbortController;
let cancelled: number;
let server: HttpServer;

beforeEach(async () => {
  stopping = new AbortController();
  cancelled = 0;
  const mcp: McpEndpoint = {
    handle: () => {
      // Nothing is ever said on it.
      const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled += 1) });
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    },
    stopping: stopping.signal,
    beginToStop: () => stopping.abort(),
    close: () => Promise.resolve(),
  };
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'silent' }),
    routes: [],
    mcp,
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterEach(() => server.close(100));

const message = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

test.each([
  ['of a session', {}],
  ['of a message', message],
])('a silent stream %s ends as soon as its client has gone, so that it can open another', async (_, init) => {
  const gone = new AbortController();
  const response = await fetch(`${server.url}/mcp`, { ...init, signal: gone.signal });
  expect(response.status).toBe(200);
  expect(cancelled).toBe(0);
  gone.abort();
  await waitFor(() => cancelled === 1, { what: 'the stream to be cancelled' });
});

test('a stream that belongs to no call ends with the service', async () => {
  const response = await fetch(`${server.url}/mcp`);
  stopping.abort();
  expect(await response.text()).toBe(': open\n\n');
  expect(cancelled).toBe(1);
});

test('any number of streams may wait for the end of the service', () => {
  const signal = stopping.signal as unknown as Record<symbol, unknown>;
  // Node.js does not read it of a signal of another realm, as the test's is.
  const max = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'events.maxEventTargetListeners',
  );
  expect(max && signal[max]).toBe(0);
});
