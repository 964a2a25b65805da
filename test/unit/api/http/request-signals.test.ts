import { getEventListeners } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { z } from 'zod';
import { createApp } from '../../../../api/app';
import { defineRoute } from '../../../../api/http/route';
import { type HttpServer, listen } from '../../../../api/http/server';
import { get } from '../../../support/http';
import { waitFor } from '../../../support/wait';

let server: HttpServer;
let stopping: AbortController;
let signals: AbortSignal[];
/** Ends the work for a request. */
let isDone: Promise<void>;

beforeEach(async () => {
  stopping = new AbortController();
  signals = [];
  isDone = Promise.resolve();
  const route = defineRoute({
    method: 'get',
    path: '/api/waiting',
    operationId: 'try',
    access: 'read',
    tag: 'Test',
    summary: '',
    message: '',
    request: {},
    response: z.unknown(),
    handler: async (_, context) => {
      signals.push(context.signal(), context.signal());
      await isDone;
    },
  });
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'silent' }),
    routes: [route],
    info: { title: 'test', description: '' },
    isReady: () => true,
    stopping: stopping.signal,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterEach(() => server.close(100));

test('a request that asked for its signal leaves nothing at the signal of the process', async () => {
  const before = traceOf(stopping.signal);
  for (let times = 0; times < 3; times += 1)
    expect((await get(`${server.url}/api/waiting`)).status).toBe(200);
  await waitFor(() => getEventListeners(stopping.signal, 'abort').length === 0, { what: 'no listener' });
  expect(traceOf(stopping.signal)).toEqual(before);
});

test('the signal of a request aborts with the process', async () => {
  let finish: () => void = () => undefined;
  isDone = new Promise((resolve) => (finish = resolve));
  const answer = get(`${server.url}/api/waiting`);
  await waitFor(() => signals.length > 0, { what: 'the request' });
  stopping.abort(new Error('stopping'));
  expect(signals.map(({ reason }) => (reason as Error).message)).toEqual(['stopping', 'stopping']);
  finish();
  expect((await answer).status).toBe(200);
});

test('the signals of all requests of a connection abort when it ends, also of those that wait for an earlier one', async () => {
  let finish: () => void = () => undefined;
  isDone = new Promise((resolve) => (finish = resolve));
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /api/waiting HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(3));
  await waitFor(() => signals.length === 6, { what: 'three requests' });
  socket.destroy();
  await waitFor(() => signals.every(({ aborted }) => aborted), { what: 'the ends of the signals' });
  finish();
});

/** What Node.js keeps at a signal, such as the signals that depend on it, with the number of its entries. */
function traceOf(signal: AbortSignal): Record<string, unknown> {
  const kept = Object.getOwnPropertySymbols(signal).map((symbol): [string, number | undefined] => {
    const { size } = ((signal as unknown as Record<symbol, unknown>)[symbol] ?? {}) as { size?: number };
    return [String(symbol), size];
  });
  return Object.fromEntries(kept.filter(([, size]) => size !== undefined && size > 0));
}
