import type { RequestListener } from 'node:http';
import { createEgress } from '../../../src/egress/create-egress';
import type { EgressRequest, EgressResponse } from '../../../src/egress/egress';
import { isSameHost, nextHop } from '../../../src/egress/hops';
import { rejection, useCleanup } from './cleanup';
import { startStub, type StubServer } from './stub-server';

const release = useCleanup();

function open(maxRedirects?: number) {
  const egress = createEgress({
    allowPrivate: true,
    maxBodyBytes: 10_000,
    ...(maxRedirects === undefined ? {} : { maxRedirects }),
  });
  release(() => egress.close());
  return (request: Partial<EgressRequest> & { url: string }): Promise<EgressResponse> =>
    egress.request({
      owner: { tenant: 'default' },
      method: 'GET',
      allowPrivate: true,
      signal: new AbortController().signal,
      ...request,
    });
}

async function stub(answer: RequestListener): Promise<StubServer> {
  const server = await startStub(answer);
  release(() => server.close());
  return server;
}

/** Sends `/` to `/next` with the given status, and answers everything else. */
function redirecting(status: number, location = '/next?a=b'): RequestListener {
  return ({ url }, response) => {
    if (url === '/') response.writeHead(status, { location }).end('moved');
    else response.end('there');
  };
}

test.each([
  [301, 'GET', 'GET'],
  [301, 'POST', 'GET'],
  [301, 'PUT', 'PUT'],
  [302, 'POST', 'GET'],
  [302, 'DELETE', 'DELETE'],
  [302, 'HEAD', 'HEAD'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [303, 'HEAD', 'HEAD'],
  [307, 'POST', 'POST'],
  [308, 'PATCH', 'PATCH'],
])('%i after %s asks again with %s', async (status, method, expected) => {
  const server = await stub(redirecting(status));
  const sends = ['POST', 'PUT', 'PATCH'].includes(method);
  const response = await open()({
    url: `${server.url}/`,
    method,
    headers: { authorization: 'Bearer secret', ...(sends ? { 'content-type': 'text/csv' } : {}) },
    body: sends ? 'a,b' : undefined,
  });
  expect(response.url).toBe(`${server.url}/next?a=b`);
  const keepsBody = sends && expected === method;
  expect(server.seen[1]).toMatchObject({ method: expected, url: '/next?a=b', body: keepsBody ? 'a,b' : '' });
  expect(server.seen[1]?.headers['content-type']).toBe(keepsBody ? 'text/csv' : undefined);
  expect(server.seen[1]?.headers.authorization).toBe('Bearer secret');
});

describe('to another origin', () => {
  /** Names of headers that sites use for credentials, and an invented one. */
  const CREDENTIALS = {
    authorization: 'Bearer secret',
    cookie: 'sid=secret',
    'x-api-key': 'secret',
    'api-key': 'secret',
    'x-auth-token': 'secret',
    'private-token': 'secret',
    'x-amz-security-token': 'secret',
    'x-of-our-own': 'secret',
  };
  const HARMLESS = {
    accept: 'text/csv',
    'accept-language': 'de',
    'content-type': 'text/plain',
    'content-language': 'de',
    'idempotency-key': 'one',
    'user-agent': 'mine/1.0',
  };

  test.each([301, 302, 303, 307, 308])('%i carries no credentials along', async (status) => {
    const other = await stub((_, response) => response.end('there'));
    const server = await stub(redirecting(status, `${other.url}/`));
    await open()({ url: `${server.url}/`, headers: { ...CREDENTIALS, ...HARMLESS } });
    expect(server.seen[0]?.headers).toMatchObject({ ...CREDENTIALS, ...HARMLESS });
    expect(JSON.stringify(other.seen[0]?.headers)).not.toContain('secret');
    expect(other.seen[0]?.headers).toMatchObject({ ...HARMLESS, host: `127.0.0.1:${other.port}` });
    expect(server.seen).toHaveLength(1);
  });

  test('none comes back by a redirect to the first one', async () => {
    const server = await stub(({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: `${other.url}/` }).end();
      else response.end('back');
    });
    const other = await stub(redirecting(302, `${server.url}/back`));
    const response = await open()({ url: `${server.url}/`, headers: CREDENTIALS });
    expect(response.url).toBe(`${server.url}/back`);
    expect(JSON.stringify(server.seen[1]?.headers)).not.toContain('secret');
  });

  test('within the same one all headers go along', async () => {
    const server = await stub(redirecting(302));
    await open()({ url: `${server.url}/`, headers: { ...CREDENTIALS, ...HARMLESS } });
    expect(server.seen[1]?.headers).toMatchObject({ ...CREDENTIALS, ...HARMLESS });
  });
});

describe('by scheme', () => {
  const next = (from: string, location: string) =>
    nextHop({ url: new URL(from), method: 'GET', headers: new Map(), body: undefined }, 302, location);

  test.each([
    ['https://a.example/x', 'http://a.example/y'],
    ['https://a.example/x', 'http://b.example/'],
  ])('from %s to %s is refused', (from, location) => {
    expect(() => next(from, location)).toThrow(/redirected from https to http/);
  });

  test.each([
    ['https://a.example/x', '//b.example/', 'https://b.example/'],
    ['http://a.example/x', 'https://a.example/y', 'https://a.example/y'],
  ])('from %s to %s is followed', (from, location, url) => {
    expect(next(from, location)?.url.href).toBe(url);
  });
});

test.each([
  ['without a location', 302, {}],
  ['300', 300, { location: '/next' }],
  ['304', 304, { location: '/next' }],
])('%s is a response like any other', async (_, status, headers: Record<string, string>) => {
  const server = await stub((__, response) => response.writeHead(status, headers).end());
  expect((await open()({ url: server.url })).status).toBe(status);
  expect(server.seen).toHaveLength(1);
});

test('five are followed by default, and not a sixth', async () => {
  const server = await stub(({ url }, response) => {
    const left = Number(url?.slice(1));
    if (left === 0) response.end('arrived');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  expect((await open()({ url: `${server.url}/5` })).text()).toBe('arrived');
  const error = await rejection(open()({ url: `${server.url}/6` }));
  expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
  expect(error.message).toMatch(/more than 5 redirects/);
});

test('the limit can be set', async () => {
  const server = await stub(redirecting(302, '/'));
  expect((await rejection(open(0)({ url: `${server.url}/` }))).message).toMatch(/more than 0 redirects/);
  expect(server.seen).toHaveLength(1);
});

test('the body of a redirect is not waited for', async () => {
  const server = await stub(({ url }, response) => {
    if (url !== '/') return void response.end('there');
    response.writeHead(302, { location: '/next' });
    response.write('and so on');
  });
  expect((await open()({ url: `${server.url}/` })).text()).toBe('there');
});

describe('within one host', () => {
  const within = (url: string) => open()({ url, withinHost: true });

  test('redirects are followed', async () => {
    const server = await stub(redirecting(302));
    expect((await within(`${server.url}/`)).text()).toBe('there');
  });

  test.each([301, 302, 303, 307, 308])(
    'a %i to another host or port fails, and that is not asked',
    async (status) => {
      const other = await stub((_, response) => response.end('there'));
      const server = await stub(redirecting(status, `${other.url}/`));
      const error = await rejection(within(`${server.url}/`));
      expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
      expect(error.message).toContain(`another host, 127.0.0.1:${other.port}`);
      expect(other.seen).toEqual([]);
    },
  );

  test('one to a host that is allowed beside is followed, and no other one after it', async () => {
    const third = await stub((_, response) => response.end('third'));
    const allowed = await stub(({ url }, response) => {
      if (url === '/on') response.writeHead(302, { location: `${third.url}/` }).end();
      else response.end('there');
    });
    const server = await stub(({ url }, response) => {
      response.writeHead(302, { location: `${allowed.url}${url}` }).end();
    });
    const redirectHosts = [`127.0.0.1:${allowed.port}`];
    const request = (path: string) =>
      open()({ url: `${server.url}${path}`, withinHost: true, redirectHosts });
    expect((await request('/')).text()).toBe('there');
    expect((await rejection(request('/on'))).message).toMatch(/another host/);
    expect(third.seen).toEqual([]);
  });

  test('one that leads away by way of the same host fails too', async () => {
    const other = await stub((_, response) => response.end('there'));
    const server = await stub(({ url }, response) => {
      response.writeHead(302, { location: url === '/' ? '/next' : `//127.0.0.1:${other.port}/` }).end();
    });
    expect((await rejection(within(`${server.url}/`))).message).toMatch(/another host/);
    expect(server.seen).toHaveLength(2);
    expect(other.seen).toEqual([]);
  });

  test.each([
    ['http://a.example/', 'https://a.example/x', true],
    ['http://a.example/', 'https://www.a.example/', true],
    ['http://www.a.example/', 'http://a.example/', true],
    ['http://a.example/', 'http://b.a.example/', false],
    ['http://a.example/', 'http://a.example:8080/', false],
    ['http://a.example/', 'http://a.example.b/', false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(isSameHost(new URL(one), new URL(other))).toBe(same);
  });
});
