import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { z } from 'zod';
import { createApp } from '../../../../api/app';
import { defineRoute } from '../../../../api/http/route';
import { type HttpServer, listen } from '../../../../api/http/server';

const PATH = '/api/echo';
const MAX_BODY_BYTES = 1_000_000;
let server: HttpServer;
let agent: Agent;

beforeEach(async () => {
  const route = defineRoute({
    method: 'post',
    path: PATH,
    operationId: 'try',
    access: 'read',
    tag: 'Test',
    summary: '',
    message: 'ok',
    request: { body: z.object({ word: z.string() }) },
    response: z.object({ word: z.string() }),
    handler: ({ body }) => Promise.resolve(body),
  });
  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES },
    logger: pino({ level: 'silent' }),
    routes: [route],
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  agent.destroy();
  await server.close(100);
});

interface Sent {
  readonly status: number | undefined;
  readonly isSameConnection: boolean;
  readonly text: string;
}

function send(body: Buffer, encoding: string): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      ...(encoding === '' ? {} : { 'content-encoding': encoding }),
    };
    const sent = request(`${server.url}${PATH}`, { agent, method: 'POST', headers }, (response) => {
      text(response).then(
        (said) => resolve({ status: response.statusCode, isSameConnection: sent.reusedSocket, text: said }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const json = (word: string): Buffer => Buffer.from(JSON.stringify({ word }));
/** At its default quality Brotli takes a second for the long body. */
const brotli = (body: Buffer): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
/** Of random words the compressed form is about half as long, which is below the limit and more than all buffers hold. */
const long = (): Buffer => json(randomBytes(850_000).toString('hex'));

test.each([
  ['gzip', 413, () => gzipSync(long())],
  ['br', 413, () => brotli(long())],
  ['gzip', 413, () => gzipSync(Buffer.alloc(200_000_000, 32))],
  ['gzip', 400, () => Buffer.alloc(500_000, 'x')],
  ['gzip', 400, () => gzipSync(json('a')).subarray(0, 12)],
])(
  'after a body as %s that is a %i, the connection takes the next request',
  async (encoding, status, body) => {
    expect(await send(body(), encoding)).toMatchObject({ status });
    expect(await send(json('b'), '')).toMatchObject({ status: 200, isSameConnection: true });
  },
);

test.each([
  ['gzip', gzipSync],
  ['X-Gzip', gzipSync],
  ['br', brotli],
])('a body as %s is read', async (encoding, compress) => {
  const { status, text: said } = await send(compress(json('a')), encoding);
  expect([status, JSON.parse(said)]).toMatchObject([200, { data: { word: 'a' } }]);
});
