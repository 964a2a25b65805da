import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { z } from 'zod';
import { createApp } from '../../../../api/app';
import { defineRoute } from '../../../../api/http/route';
import { type HttpServer, listen } from '../../../../api/http/server';

const PATH = '/api/things/:name';
let server: HttpServer;
let lines: { readonly msg: string; readonly path?: string }[];

beforeEach(async () => {
  lines = [];
  const route = defineRoute({
    method: 'get',
    path: PATH,
    operationId: 'try',
    access: 'read',
    tag: 'Test',
    summary: '',
    message: 'ok',
    request: { params: z.object({ name: z.string() }), query: z.object({ q: z.string().optional() }) },
    response: z.object({ name: z.string(), q: z.string().optional() }),
    handler: ({ params, query }) => Promise.resolve({ ...params, ...query }),
  });
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 10_000 },
    logger: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as never) }),
    routes: [route],
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
});
afterEach(() => server.close(100));

/** Sends a request with a target that clients of HTTP would change. */
async function send(target: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

test.each([
  ['http://127.0.0.1/api/v1/things/a?q=1', { name: 'a', q: '1' }],
  ['http://elsewhere.example:8080/api/things/a/', { name: 'a' }],
  ['http://[::1/api/things/a', { name: 'a' }],
  ['foo://x/api/things/b?q=http://y', { name: 'b', q: 'http://y' }],
  ['/api/things/c#q', { name: 'c' }],
])('the target %s is read by its path and query', async (target, data) => {
  expect(await send(target)).toMatchObject({ status: 200, body: { data } });
  expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([{ path: PATH }]);
});

test.each(['http://127.0.0.1', 'foo://a?x=1', 'http://'])(
  '%s, without a path, is the root',
  async (target) => {
    expect(await send(target)).toMatchObject({ status: 200, body: { data: { name: 'test' } } });
  },
);

test.each(['*', '//', '//a@[x', '//a@[x#y'])('nothing is at %s, and the process goes on', async (target) => {
  expect(await send(target)).toMatchObject({ status: 404, body: { success: false, message: 'Not found' } });
  expect(lines.map(({ msg }) => msg)).toEqual(['request']);
  expect(await send('/api/things/a')).toMatchObject({ status: 200 });
});
