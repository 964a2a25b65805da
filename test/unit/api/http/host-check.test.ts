import { type AddressInfo, connect } from 'node:net';
import { request as rawRequest } from 'node:http';
import { pino } from 'pino';
import { createApp } from '../../../../api/app';
import { type HttpServer, listen } from '../../../../api/http/server';

const servers: HttpServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close(100))));

async function serve(
  loopback: boolean,
  allowed: readonly string[],
  host = '127.0.0.1',
  origins?: readonly string[],
): Promise<HttpServer> {
  const app = createApp({
    config: { loopback, ALLOWED_HOSTS: allowed, MAX_BODY_BYTES: 1_000 },
    logger: pino({ level: 'silent' }),
    routes: [],
    info: { title: 'test', description: '' },
    isReady: () => true,
    ...(origins === undefined ? {} : { crossOrigin: { origins, anyMayRead: false, loopback } }),
  });
  const server = await listen(app, { host, port: 0, portSetting: 'PORT' });
  servers.push(server);
  return server;
}

function statusOf(
  url: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url) as unknown as AddressInfo;
    rawRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

/** Headers are given as names and values in turn, so that a name may be there twice. */
function rawAnswer(
  url: string,
  path: string,
  headers: readonly string[],
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.on('error', reject).on('close', () => resolve({ status: Number(text.split(' ')[1]), text }));
  });
}

const OPEN = '/api/openapi.json';

test('names are checked on loopback, and elsewhere where names are given', async () => {
  const local = await serve(true, []);
  const named = await serve(false, ['api.example']);
  const open = await serve(false, []);
  const foreign = { host: 'evil.example' };
  const given = { host: 'api.example:8443' };
  expect(await statusOf(local.url, OPEN, foreign)).toBe(403);
  expect(await statusOf(local.url, OPEN, given)).toBe(403);
  expect(await statusOf(named.url, OPEN, foreign)).toBe(403);
  expect(await statusOf(named.url, OPEN, given)).toBe(200);
  expect(await statusOf(open.url, OPEN, foreign)).toBe(200);
});

test.each([
  ['two', ['Host', 'localhost', 'Host', 'evil.example'], 'must be there once'],
  ['the same twice', ['Host', 'localhost', 'host', 'localhost'], 'must be there once'],
  ['a list', ['Host', 'localhost, evil.example'], 'must be a name'],
  ['a list with ports', ['Host', '127.0.0.1:3300, evil'], 'must be a name'],
  ['a path', ['Host', 'localhost/evil'], 'must be a name'],
  ['a user', ['Host', 'localhost@evil.example'], 'must be a name'],
])('a request with %s in its Host is refused by a 400', async (_, headers, message) => {
  for (const server of [await serve(true, []), await serve(false, [])]) {
    for (const path of [OPEN, '/livez']) {
      const { status, text } = await rawAnswer(server.url, path, headers);
      expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    }
  }
});

test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:80', '[::1]', '[::1]:3000'])(
  'the Host %s is accepted',
  async (host) => {
    const server = await serve(true, []);
    expect(await statusOf(server.url, OPEN, { host })).toBe(200);
  },
);

test('a probe may ask by any name', async () => {
  const named = await serve(false, ['api.example']);
  for (const path of ['/livez', '/readyz']) {
    expect(await statusOf(named.url, path, { host: '10.1.2.3:3000' })).toBe(200);
  }
});

test('the origin of what changes something is checked where names are', async () => {
  const named = await serve(false, ['api.example']);
  const open = await serve(false, []);
  const from = (origin: string) => ({ host: 'api.example', origin });
  expect(await statusOf(named.url, OPEN, from('https://evil.example'), 'POST')).toBe(403);
  expect(await statusOf(named.url, OPEN, from('https://evil.example'))).toBe(200);
  expect(await statusOf(named.url, OPEN, from('https://api.example'), 'POST')).toBe(405);
  expect(await statusOf(open.url, OPEN, from('https://evil.example'), 'POST')).toBe(403);
});

describe('where any name is answered', () => {
  test.each([
    ['another host', 'api.example', 'https://evil.example'],
    ['another port', 'api.example:3000', 'http://api.example:8080'],
    ['a host that begins alike', 'api.example', 'https://api.example.evil.example'],
    ['no origin', 'api.example', 'null'],
    ['what is no origin', 'api.example', 'api.example'],
    ['this machine', 'api.example', 'http://localhost:5173'],
  ])('a page of %s may read, and change nothing', async (_, host, origin) => {
    const { url } = await serve(false, []);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await statusOf(url, OPEN, { host, origin }, method)).toBe(403);
    }
    expect(await statusOf(url, OPEN, { host, origin })).toBe(200);
  });

  test.each([
    ['api.example:3000', 'http://api.example:3000'],
    ['API.example', 'https://api.example'],
    ['api.example:80', 'http://api.example'],
    ['api.example:443', 'https://api.example'],
    ['10.1.2.3:3000', 'http://10.1.2.3:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
  ])('a page that %s itself gave out may change something', async (host, origin) => {
    const { url } = await serve(false, []);
    expect(await statusOf(url, OPEN, { host, origin }, 'POST')).toBe(405);
  });

  test('what names no origin is no page', async () => {
    const { url } = await serve(false, []);
    expect(await statusOf(url, OPEN, { host: 'api.example' }, 'POST')).toBe(405);
  });

  test('a page that may call from elsewhere still may', async () => {
    const { url } = await serve(false, [], '127.0.0.1', ['https://app.example']);
    const from = (origin: string) => ({ host: 'api.example', origin });
    expect(await statusOf(url, OPEN, from('https://app.example'), 'POST')).toBe(405);
    expect(await statusOf(url, OPEN, from('https://evil.example'), 'POST')).toBe(403);
  });
});

test('an IPv6 address may have its brackets', async () => {
  const { url } = await serve(true, [], '::1').catch((error: unknown) => {
    // A machine without IPv6 reports that by the address alone.
    if (String(error).includes('EADDRNOTAVAIL') || String(error).includes('EAFNOSUPPORT')) return { url: '' };
    throw error;
  });
  expect(url === '' || /^http:\/\/\[::1\]:\d+$/.test(url)).toBe(true);
});
