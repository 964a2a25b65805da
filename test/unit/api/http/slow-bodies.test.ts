import type * as http from 'node:http';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { z } from 'zod';
import { createApp } from '../../../../api/app';
import { defineRoute } from '../../../../api/http/route';
import { type HttpServer, listen } from '../../../../api/http/server';
import { waitFor } from '../../../support/wait';
import { NDJSON } from '../../../../api/http/send-stream';

/** Node.js ends requests after 300 s by default, which it checks every 30 s. Here the default is shorter. */
jest.mock('node:http', () => {
  const actual = jest.requireActual<typeof http>('node:http');
  const createServer = (
    options: http.ServerOptions | http.RequestListener,
    listener?: http.RequestListener,
  ): http.Server => {
    const given = typeof options === 'function' ? { listener: options } : { ...options, listener };
    const { listener: handle, ...rest } = given;
    return actual.createServer(
      { requestTimeout: 150, headersTimeout: 150, connectionsCheckingInterval: 25, ...rest },
      handle,
    );
  };
  return { ...actual, createServer };
});

const JSON_MS = 400;
let server: HttpServer;
let received: number;
const sockets: Socket[] = [];

/** An API with one route that takes a streamed body and one that takes JSON. */
async function start(stallMs: number): Promise<void> {
  received = 0;
  const upload = defineRoute({
    method: 'post',
    path: '/api/uploads',
    operationId: 'try',
    access: 'read',
    tag: 'Test',
    summary: '',
    message: 'received',
    streamedBody: NDJSON,
    request: {},
    response: z.object({ bytes: z.number() }),
    handler: async (_, { bodyStream }) => {
      for await (const chunk of bodyStream!) received += (chunk as Buffer).length;
      return { bytes: received };
    },
  });
  const json = defineRoute({
    method: 'post',
    path: '/api/json',
    operationId: 'try2',
    access: 'read',
    tag: 'Test',
    summary: '',
    message: 'taken',
    request: { body: z.object({ a: z.number() }) },
    response: z.unknown(),
    handler: () => Promise.resolve({}),
  });
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'silent' }),
    routes: [upload, json],
    info: { title: 'test', description: '' },
    isReady: () => true,
    bodyLimits: { jsonMs: JSON_MS, stallMs },
  });
  const limits = { headersMs: 200, unreadBodyMs: 200, checkEveryMs: 25 };
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT', limits });
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close(100);
});

interface Peer {
  readonly socket: Socket;
  /** Everything that was received. */
  text(): string;
  isClosed(): boolean;
}

/** A caller that has sent this and sends nothing more. */
function send(text: string): Peer {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  let closed = false;
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  socket.on('error', () => undefined).on('close', () => (closed = true));
  socket.write(text);
  return { socket, text: () => answer, isClosed: () => closed };
}

const head = (path: string, type: string, rest = 'Transfer-Encoding: chunked'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${rest}\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const closed = (peer: Peer, what: string) => waitFor(() => peer.isClosed(), { what });
/** The envelope of an answer. */
const envelope = (answer: string): unknown =>
  JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));

const TOO_SLOW = {
  success: false,
  message: 'Request timeout',
  error: expect.stringContaining('body'),
};

test('an upload that takes longer than any JSON body may is received whole', async () => {
  await start(60_000);
  const upload = send(head('/api/uploads', NDJSON) + chunk('{"n":0}\n'));
  for (let n = 1; n <= 3; n += 1) {
    await closed(send(head('/api/json', 'application/json') + chunk('{')), 'a slow JSON body to be given up');
    upload.socket.write(chunk(`{"n":${n}}\n`));
    await waitFor(() => received === 8 * (n + 1), { what: `row ${n}` });
  }
  upload.socket.write('0\r\n\r\n');
  await waitFor(() => upload.text().includes('"bytes":32'), { what: 'the answer' });
  expect(upload.text()).toContain('HTTP/1.1 200 OK');
});

test('an upload of which nothing comes any more is given up, in the envelope', async () => {
  await start(300);
  const upload = send(head('/api/uploads', NDJSON) + chunk('{"n":0}\n'));
  await closed(upload, 'the upload to be given up');
  expect(received).toBe(8);
  expect(upload.text()).toMatch(/^HTTP\/1\.1 408 /);
  expect(upload.text()).toMatch(/^connection: close\r$/im);
  expect(envelope(upload.text())).toMatchObject(TOO_SLOW);
});

test.each([
  ['with chunks', 'Transfer-Encoding: chunked', chunk('{"a":')],
  ['with a length', 'Content-Length: 7', '{"a":'],
])('a JSON body that does not end is given up, in the envelope: %s', async (_, rest, begin) => {
  await start(60_000);
  const peer = send(head('/api/json', 'application/json', rest) + begin);
  await closed(peer, 'the body to be given up');
  expect(peer.text()).toMatch(/^HTTP\/1\.1 408 /);
  expect(envelope(peer.text())).toMatchObject(TOO_SLOW);
});

test('a body that nobody reads holds its connection for a bounded time', async () => {
  await start(60_000);
  const peer = send(head('/api/json', 'text/plain') + chunk('x'));
  await waitFor(() => peer.text().includes('}'), { what: 'the answer' });
  expect(peer.text()).toMatch(/^HTTP\/1\.1 415 /);
  await closed(peer, 'the connection to be cut');
});

test('a body that was refused and comes to its end leaves the connection open', async () => {
  await start(60_000);
  const peer = send(head('/api/json', 'text/plain') + chunk('x'));
  await waitFor(() => peer.text().includes('}'), { what: 'the answer' });
  peer.socket.write(`0\r\n\r\n${head('/api/json', 'application/json', 'Content-Length: 7')}{"a":1}`);
  await waitFor(() => peer.text().includes('HTTP/1.1 200 OK'), { what: 'the second answer' });
  // If the limit of the first request did not end with it, it would cut the connection here.
  await closed(send(head('/api/json', 'application/json') + chunk('{')), 'a later body to be given up');
  expect(peer.isClosed()).toBe(false);
});

test('headers that do not end are given up', async () => {
  await start(60_000);
  const peer = send('POST /api/json HTTP/1.1\r\nHost: localhost\r\n');
  await closed(peer, 'the connection to be cut');
  expect(peer.text()).toMatch(/^HTTP\/1\.1 408 /);
});
