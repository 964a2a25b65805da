import { gzipSync, brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import { createEgress, type EgressOptions } from '../../../src/egress/create-egress';
import type { EgressRequest, EgressResponse } from '../../../src/egress/egress';
import { rejection, useCleanup } from './cleanup';
import { startStub, type StubServer } from './stub-server';

const release = useCleanup();

function open(options: Partial<EgressOptions> = {}) {
  const egress = createEgress({ allowPrivate: true, maxBodyBytes: 10_000, ...options });
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

test('a request goes out as asked, and any status is a response', async () => {
  const server = await stub((_, response) => {
    response.writeHead(418, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] });
    response.end('short and stout');
  });
  const response = await open({ userAgent: 'test/1' })({
    url: `${server.url}/pot?q=1#spout`,
    method: 'post',
    headers: { 'X-Kind': 'tea' },
    body: '{"cups":2}',
  });
  expect(response).toMatchObject({ status: 418, url: `${server.url}/pot?q=1` });
  expect(response.text()).toBe('short and stout');
  expect(response.headers.get('set-cookie')).toBe('a=1, b=2');
  expect(server.seen).toEqual([
    {
      method: 'POST',
      url: '/pot?q=1',
      body: '{"cups":2}',
      headers: expect.objectContaining({ 'x-kind': 'tea', 'user-agent': 'test/1', accept: '*/*' }) as unknown,
    },
  ]);
});

test('connections are used again', async () => {
  const server = await stub((_, response) => response.end('ok'));
  const request = open();
  // A response can be complete a moment before its connection is free again, hence not exactly one.
  for (let count = 0; count < 6; count += 1) await request({ url: server.url });
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test('text is decoded by its charset, and as UTF-8 where that is unknown', async () => {
  const server = await stub(({ url }, response) => {
    response.setHeader(
      'content-type',
      url === '/latin' ? 'text/plain; charset="iso-8859-1"' : 'text/plain; charset=klingon',
    );
    response.end(url === '/latin' ? Buffer.from([0xe9]) : 'é');
  });
  const request = open();
  expect((await request({ url: `${server.url}/latin` })).text()).toBe('é');
  expect((await request({ url: `${server.url}/other` })).text()).toBe('é');
});

describe('what is refused before anything is sent', () => {
  test.each([
    [{ Host: 'other.example' }, /Host is set by the server/],
    [{ 'content-length': '3' }, /content-length is set by the server/],
    [{ 'Transfer-Encoding': 'chunked' }, /Transfer-Encoding is set by the server/],
    [{ 'bad name': 'x' }, /is not a header name/],
    [{ '': 'x' }, /is not a header name/],
    [{ 'x-ok': 'a\r\nx-smuggled: b' }, /contains invalid characters/],
    [{ 'x-ok': '\u{1F600}' }, /contains invalid characters/],
  ])('headers %j', async (headers, message) => {
    const server = await stub((_, response) => response.end());
    const error = await rejection(open()({ url: server.url, headers: headers }));
    expect(error.message).toMatch(message);
    expect(server.connections()).toBe(0);
  });

  test.each(['CONNECT', 'TRACE', 'BREW', ''])('method %s', async (method) => {
    const error = await rejection(open()({ url: 'http://127.0.0.1/', method }));
    expect(error.message).toMatch(/method must be one of/);
  });
});

describe('bodies', () => {
  const text = 'x'.repeat(5_000);
  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
    ['UTF-8', Buffer.from(text)],
    ['aws-chunked, gzip', gzipSync(text)],
  ])('%s is unpacked', async (encoding, bytes) => {
    const server = await stub((_, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(bytes);
    });
    expect((await open()({ url: server.url })).text()).toBe(text);
  });

  test('one of exactly the limit passes, one byte more does not', async () => {
    const server = await stub(({ url }, response) => response.end('x'.repeat(Number(url?.slice(1)))));
    const request = open({ maxBodyBytes: 1_000 });
    expect((await request({ url: `${server.url}/1000` })).bytes).toHaveLength(1_000);
    const error = await rejection(request({ url: `${server.url}/1001` }));
    expect(error).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      retryable: false,
      details: { maxBytes: 1_000 },
    });
    expect(error.message).toMatch(/larger than the 1000 bytes/);
  });

  test('an endless one is cut off at the limit', async () => {
    let stopped: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (stopped = resolve));
    const server = await stub((_, response) => {
      const pump = (): void => {
        while (response.write('y'.repeat(1_000)));
        response.once('drain', pump);
      };
      response.on('close', () => stopped());
      pump();
    });
    expect((await rejection(open()({ url: server.url }))).message).toMatch(/larger than/);
    await closed;
  });

  test('one that unpacks to more than the limit is refused', async () => {
    const server = await stub((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(5_000_000)));
    });
    const error = await rejection(open()({ url: server.url }));
    expect(error.message).toMatch(/larger than the 10000 bytes/);
  });

  test.each([
    ['gzip', 'no gzip at all', /cannot be decompressed as gzip/],
    ['zstd', 'x', /content encoding zstd/],
    ['br, br, br, br', 'x', /too many times/],
  ])('content encoding %s with a body of %s', async (encoding, body, message) => {
    const server = await stub((_, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(body);
    });
    expect((await rejection(open()({ url: server.url }))).message).toMatch(message);
  });

  test('an answer to HEAD has none, whatever its headers say', async () => {
    const server = await stub((_, response) => {
      response.writeHead(200, { 'content-length': '1000000', 'content-encoding': 'gzip' });
      response.end();
    });
    expect((await open()({ url: server.url, method: 'HEAD' })).bytes).toHaveLength(0);
  });
});

describe('the signal', () => {
  test('is the only limit: a server may take longer than the five minutes of the client', async () => {
    const { tick } = jest.requireActual<{ tick(milliseconds: number): void }>('undici/lib/util/timers');
    const pass = (): void => {
      // The client starts a timer at the first tick after it was made.
      for (const milliseconds of [1_000, 600_000]) tick(milliseconds);
    };
    const server = await stub((_, response) => {
      pass();
      setImmediate(() => {
        response.write('at ');
        setImmediate(() => {
          pass();
          setImmediate(() => response.end('last'));
        });
      });
    });
    expect((await open()({ url: server.url })).text()).toBe('at last');
  });

  test('ends the wait for a server that does not answer', async () => {
    const controller = new AbortController();
    const reason = new Error('deadline');
    const server = await stub(() => controller.abort(reason));
    const error = await rejection(open()({ url: server.url, signal: controller.signal }));
    expect(error).toBe(reason);
  });

  test('ends a body that drips', async () => {
    const controller = new AbortController();
    const server = await stub((_, response) => {
      response.write('one');
      setImmediate(() => controller.abort(new DOMException('late', 'TimeoutError')));
    });
    const error = await rejection(open()({ url: server.url, signal: controller.signal }));
    expect(error).toMatchObject({ code: 'TOOL_TIMEOUT', retryable: false });
  });

  test('ends the wait for a name that does not resolve', async () => {
    const controller = new AbortController();
    let endLookup: (error: Error) => void = () => undefined;
    const request = open({
      resolve: () => {
        setImmediate(() => controller.abort(new Error('enough')));
        return new Promise((_resolve, reject) => (endLookup = reject));
      },
    });
    const error = await rejection(request({ url: 'http://slow.test/', signal: controller.signal }));
    expect(error.message).toBe('enough');
    // The socket closes only when the system's lookup has ended, which a request cannot abort.
    endLookup(new Error('no answer'));
  });

  test('aborted beforehand sends nothing', async () => {
    const server = await stub((_, response) => response.end());
    const error = await rejection(open()({ url: server.url, signal: AbortSignal.abort(new Error('over')) }));
    expect(error.message).toBe('over');
    expect(server.connections()).toBe(0);
  });
});

describe('failures of the network', () => {
  test('a refused connection may be tried again', async () => {
    const server = await startStub(() => undefined);
    await server.close();
    const error = await rejection(open()({ url: server.url }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: true });
    expect(error.message).toBe(`Request to 127.0.0.1:${server.port} failed: connection refused`);
  });

  test.each([
    ['before an answer', (response: Parameters<RequestListener>[1]) => response.socket?.destroy()],
    [
      'in the middle of a body',
      (response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.socket?.destroy());
      },
    ],
    [
      'in the middle of a chunked body',
      (response: Parameters<RequestListener>[1]) => {
        response.write('half', () => response.socket?.destroy());
      },
    ],
  ])('a connection closed %s may be tried again', async (_, hangUp) => {
    const server = await stub((__, response) => {
      hangUp(response);
    });
    const error = await rejection(open()({ url: server.url }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: true });
    expect(error.message).toMatch(/connection was closed/);
  });

  test.each([
    ['EAI_AGAIN', true, /cannot be resolved at the moment/],
    ['ENOTFOUND', false, /no such host/],
  ])('a name server that says %s', async (code, retryable, message) => {
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error('dns'), { code }));
    const error = await rejection(open({ resolve })({ url: 'http://name.test/' }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable });
    expect(error.message).toMatch(message);
  });

  test('what answers may speak another protocol', async () => {
    const server = await stub((_, response) => response.socket?.end('220 mail.example ESMTP\r\n'));
    const error = await rejection(open()({ url: server.url }));
    expect(error).toMatchObject({ retryable: false });
    expect(error.message).toMatch(/not valid HTTP/);
  });

  test('closing ends what is under way', async () => {
    const egress = createEgress({ allowPrivate: true, maxBodyBytes: 100 });
    const server = await stub(() => void egress.close());
    const signal = new AbortController().signal;
    const error = await rejection(
      egress.request({
        owner: { tenant: 'default' },
        url: server.url,
        method: 'GET',
        allowPrivate: true,
        signal,
      }),
    );
    expect(error).toMatchObject({ retryable: true });
  });
});
