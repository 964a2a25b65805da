import { type IncomingMessage, request as httpRequest } from 'node:http';
import { pino } from 'pino';
import { z } from 'zod';
import { createApp } from '../../../../api/app';
import { defineStreamRoute, type StreamedAnswer } from '../../../../api/http/route';
import { type HttpServer, listen } from '../../../../api/http/server';
import { HoldfastError } from '../../../../src/base/errors';
import { get, request } from '../../../support/http';
import { waitFor } from '../../../support/wait';
import { NDJSON, ndjson } from '../../../../api/http/send-stream';

interface Line {
  readonly msg: string;
  readonly path?: string;
  readonly reason?: string;
  readonly aborted?: boolean;
}

const CHUNK = Buffer.alloc(65_536, 'x');
/** More than the buffers of the sockets at both ends. */
const MAX_IN_FLIGHT = 512;

let server: HttpServer;
let stopping: AbortController;
let lines: Line[];
let made: number;
let ended: boolean;
let chunks: () => StreamedAnswer['chunks'];

/** Produces chunks on request. `made` counts them, and `ended` is true when no more are requested. */
async function* endless(total = Infinity): AsyncGenerator<Buffer> {
  try {
    for (; made < total; made += 1) {
      yield CHUNK;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    ended = true;
  }
}

const itemsOf = async function* (total: number, failure?: Error): AsyncGenerator<object> {
  for (let n = 0; n < total; n += 1) yield await Promise.resolve({ n });
  if (failure !== undefined) throw failure;
};

beforeEach(async () => {
  lines = [];
  made = 0;
  ended = false;
  stopping = new AbortController();
  const route = defineStreamRoute({
    method: 'get',
    path: '/api/memory/stream/:name',
    operationId: 'try',
    access: 'read',
    tag: 'Test',
    summary: '',
    request: { params: z.object({ name: z.string().max(5) }) },
    streams: { [NDJSON]: z.object({ n: z.number() }) },
    stallLimitMs: 500,
    handler: () => ({ mediaType: NDJSON, fileName: 'numbers.ndjson', chunks: chunks() }),
  });
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as Line) }),
    routes: [route],
    info: { title: 'test', description: '' },
    isReady: () => true,
    stopping: stopping.signal,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterEach(() => server.close(100));

const stream = () => get(`${server.url}/api/memory/stream/a`);
const requestLine = () =>
  waitFor(() => lines.find(({ msg }) => msg === 'request'), { what: 'the line of the request' });

/** An answer of which nothing has been read yet. */
function unread(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(`${server.url}/api/memory/stream/a`, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    })
      .on('error', reject)
      .end();
  });
}

/** Waits until no chunk has been made for a while. */
async function untilHeldUp(): Promise<void> {
  let before = -1;
  let same = 0;
  await waitFor(
    () => {
      same = made === before ? same + 1 : 0;
      before = made;
      return same === 8;
    },
    { what: 'the stream to be held up' },
  );
}

test('items come as lines, whole, with the media type and the name of a file', async () => {
  chunks = () => ndjson(itemsOf(5_000));
  const { status, headers, text } = await stream();
  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    NDJSON,
    'attachment; filename="numbers.ndjson"',
  ]);
  const parsed = text.split('\n').slice(0, -1);
  expect(text.endsWith('\n')).toBe(true);
  expect(parsed.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(
    Array.from({ length: 5_000 }, (_, n) => n),
  );
});

test('no items are an empty answer', async () => {
  chunks = () => ndjson(itemsOf(0));
  expect(await stream()).toMatchObject({ status: 200, text: '' });
});

test('input that does not fit is told in the envelope', async () => {
  const { status, body } = await get(`${server.url}/api/memory/stream/too-long`);
  expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', 'name']);
});

test('a failure before the first chunk is answered as any', async () => {
  chunks = () => ndjson(itemsOf(3, new HoldfastError('STORE_UNAVAILABLE', 'no luck')));
  const { status, body } = await stream();
  expect([status, body.error, body.details]).toEqual([
    503,
    'Service unavailable',
    { service: 'database', reason: 'no luck' },
  ]);
});

test('a later one breaks the connection, and is told in the log', async () => {
  // They are more than a stream buffers, so that the answer has begun when it breaks.
  chunks = () => ndjson(itemsOf(50_000, new Error('no luck')));
  const response = await fetch(`${server.url}/api/memory/stream/a`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect(await requestLine()).toMatchObject({ aborted: true });
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'an answer broke off', reason: 'no luck' }));
});

test('no more is made than the caller takes, and all of it arrives', async () => {
  const total = 4 * MAX_IN_FLIGHT;
  chunks = () => endless(total);
  const response = await unread();
  await untilHeldUp();
  expect(made).toBeLessThan(MAX_IN_FLIGHT);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(total * CHUNK.length);
  expect(ended).toBe(true);
});

test('a caller who goes away ends it', async () => {
  chunks = () => endless();
  const response = await unread();
  response.destroy();
  await waitFor(() => ended, { what: 'the stream to end' });
  expect(await requestLine()).toMatchObject({ aborted: true });
  expect(lines.map(({ msg }) => msg)).toEqual(['request']);
});

test('and so does one who takes nothing for too long', async () => {
  chunks = () => endless();
  const response = await unread();
  await waitFor(() => ended, { what: 'the stream to end' });
  response.resume();
  await waitFor(() => response.errored !== null, { what: 'the connection to be broken' });
});

test('and a stop of the service', async () => {
  chunks = () => endless();
  const response = await unread();
  response.resume();
  stopping.abort(new Error('stopping'));
  await waitFor(() => ended && response.errored !== null, { what: 'the stream to end' });
});

test('HEAD tells the headers alone', async () => {
  chunks = () => endless();
  const { status, headers, text } = await request(`${server.url}/api/memory/stream/a`, { method: 'HEAD' });
  expect([status, headers.get('content-type'), text]).toEqual([200, NDJSON, '']);
  expect(ended).toBe(true);
});

test('the document tells media type and item', async () => {
  const { body } = await get(`${server.url}/api/openapi.json`);
  const { responses } = body.paths['/api/memory/stream/{name}'].get;
  expect(Object.keys(responses['200'].content)).toEqual([NDJSON]);
  expect(responses['200'].content[NDJSON].schema).toMatchObject({ properties: { n: { type: 'number' } } });
  expect(responses.default.content).toHaveProperty(['application/json']);
});

test.each([
  ['an answer', 'GET', '/api/memory/stream/zoe', '/api/memory/stream/:name'],
  ['another spelling', 'GET', '/api/v1/memory/stream/zoe/', '/api/memory/stream/:name'],
  ['a name that is refused', 'GET', '/api/memory/stream/zoe-maria', '/api/memory/stream/:name'],
  ['another method', 'DELETE', '/api/memory/stream/zoe', '/api/memory/stream/:name'],
  ['nothing there', 'GET', '/api/memory/steam/zoe', '(no route)'],
])('the line of a request names no user: %s', async (_, method, path, logged) => {
  chunks = () => ndjson(itemsOf(1));
  await request(`${server.url}${path}`, { method });
  expect((await requestLine()).path).toBe(logged);
  expect(JSON.stringify(lines)).not.toContain('zoe');
});

test('what is asked every few seconds by a watcher writes no line', async () => {
  expect((await get(`${server.url}/livez`)).status).toBe(200);
  await stream();
  expect((await requestLine()).path).toBe('/api/memory/stream/:name');
});
