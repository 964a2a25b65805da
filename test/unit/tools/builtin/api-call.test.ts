import type { RequestListener } from 'node:http';
import { createEgress } from '../../../../src/egress/create-egress';
import { createApiCall } from '../../../../src/tools/builtin/api-call';
import type { ToolArguments, ToolContext } from '../../../../src/tools/tool';
import { rejection, useCleanup } from '../../egress/cleanup';
import { startStub, type StubServer } from '../../egress/stub-server';
import { toolContext } from './context';

const release = useCleanup();

function open(allowPrivate = true) {
  const egress = createEgress({ allowPrivate, maxBodyBytes: 10_000 });
  release(() => egress.close());
  const tool = createApiCall(
    egress,
    { rewriteJson: () => Promise.resolve(undefined) },
    { queryJson: () => Promise.reject(new Error('not expected')) },
  );
  return async (args: ToolArguments, context: Partial<ToolContext> = {}): Promise<unknown> =>
    (await tool.run(args, toolContext(context))).value;
}

async function stub(answer: RequestListener): Promise<StubServer> {
  const server = await startStub(answer);
  release(() => server.close());
  return server;
}

/** Answers every request with one status, some headers and a text. */
const answering =
  (status: number, headers: Record<string, string> = {}, body = 'sorry'): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

describe('what is sent', () => {
  test('GET without a body unless told otherwise', async () => {
    const server = await stub(answering(200));
    await open()({ url: `${server.url}/x?y=1` });
    expect(server.seen[0]).toMatchObject({ method: 'GET', url: '/x?y=1', body: '' });
    expect(server.seen[0]?.headers).not.toHaveProperty('content-type');
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'post', 'delete'])(
    '%s',
    async (method) => {
      const server = await stub(answering(200));
      await open()({ url: server.url, method });
      expect(server.seen[0]?.method).toBe(method.toUpperCase());
    },
  );

  test.each<[unknown, string, string | undefined]>([
    [{ a: 1 }, '{"a":1}', 'application/json'],
    [[1, 'b'], '[1,"b"]', 'application/json'],
    [7, '7', 'application/json'],
    [false, 'false', 'application/json'],
    ['{"a":1}', '{"a":1}', 'text/plain;charset=UTF-8'],
    ['', '', 'text/plain;charset=UTF-8'],
    [null, '', undefined],
  ])('the body %j', async (body, sent, contentType) => {
    const server = await stub(answering(200));
    await open()({ url: server.url, method: 'POST', body });
    expect(server.seen[0]?.body).toBe(sent);
    expect(server.seen[0]?.headers['content-type']).toBe(contentType);
  });

  test("the caller's headers, whose content type wins", async () => {
    const server = await stub(answering(200));
    const headers = { 'Content-Type': 'application/vnd.x+json', 'X-Count': 3, 'X-Flag': true };
    await open()({ url: server.url, method: 'PUT', body: { a: 1 }, headers });
    expect(server.seen[0]?.headers).toMatchObject({
      'content-type': 'application/vnd.x+json',
      'x-count': '3',
      'x-flag': 'true',
    });
  });

  test.each<[ToolArguments, string]>([
    [{}, 'args.url'],
    [{ url: 5 }, 'args.url'],
    [{ url: 'http://127.0.0.1/', method: 'BREW' }, 'args.method'],
    [{ url: 'http://127.0.0.1/', method: 5 }, 'args.method'],
    [{ url: 'http://127.0.0.1/', headers: [] }, 'args.headers'],
    [{ url: 'http://127.0.0.1/', headers: { a: { b: 1 } } }, 'args.headers.a'],
  ])('%j is a validation error', async (args, field) => {
    expect(await rejection(open()(args))).toMatchObject({ code: 'VALIDATION', details: { field } });
  });

  test('the egress policy holds', async () => {
    const server = await stub(answering(200));
    const error = await rejection(open(false)({ url: server.url }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(server.connections()).toBe(0);
  });
});

describe('what comes back', () => {
  const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]);
  test.each<[string, string | undefined, string | Buffer, unknown]>([
    ['JSON', 'application/json', '{"a":[1]}', { data: { a: [1] } }],
    ['JSON with a charset', 'application/json; charset=utf-8', '"é"', { data: 'é' }],
    ['a kind of JSON', 'application/problem+json', '{"title":"x"}', { data: { title: 'x' } }],
    ['JSON that is none', 'application/json', '<html>', { data: '<html>' }],
    ['text', 'text/html', '<p>hi</p>', { data: '<p>hi</p>' }],
    ['text in another charset', 'text/plain; charset=latin1', Buffer.from([0xe9]), { data: 'é' }],
    ['XML', 'image/svg+xml', '<svg/>', { data: '<svg/>' }],
    ['text of no type', undefined, 'plain', { data: 'plain' }],
    ['text of a binary type', 'application/octet-stream', 'plain', { data: 'plain' }],
    ['an image', 'image/png', binary, { data: binary.toString('base64'), encoding: 'base64' }],
    ['bytes of no type', undefined, binary, { data: binary.toString('base64'), encoding: 'base64' }],
    ['nothing', 'application/json', '', { data: null }],
  ])('%s', async (_, contentType, body, expected) => {
    const server = await stub((__, response) => {
      if (contentType !== undefined) response.setHeader('content-type', contentType);
      response.end(body);
    });
    expect(await open()({ url: server.url })).toEqual({
      status: 200,
      headers: expect.any(Object),
      ...(expected as object),
    });
  });

  test.each([
    [204, 'GET'],
    [200, 'HEAD'],
  ])('status %i to %s has no data', async (status, method) => {
    const server = await stub(answering(status, {}, ''));
    expect(await open()({ url: server.url, method })).toMatchObject({ status, data: null });
  });

  test.each([400, 401, 403, 404, 409, 422])('status %i is a result', async (status) => {
    const server = await stub(answering(status));
    expect(await open()({ url: server.url })).toMatchObject({ status, data: 'sorry' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a temporary failure', () => {
  test.each([
    ['GET', {}],
    ['HEAD', {}],
    ['OPTIONS', {}],
    ['PUT', { repeatable: true }],
    ['DELETE', { repeatable: true }],
    ['POST', { repeatable: true }],
    ['PATCH', { repeatable: true, expect: '2xx' }],
  ])('of %s with %j asks for another attempt', async (method, more) => {
    const server = await stub(answering(503, { 'retry-after': '2' }));
    const error = await rejection(open()({ url: `${server.url}/path?key=secret`, method, ...more }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: true, retryAfterMs: 2_000 });
    expect(error.message).toBe(`${server.url}/path answered 503`);
    expect(server.seen).toHaveLength(1);
  });

  test.each([408, 425, 429, 500, 502, 503, 504])('is status %i', async (status) => {
    const server = await stub(answering(status));
    const error = await rejection(open()({ url: server.url }));
    expect(error).toMatchObject({ retryable: true, retryAfterMs: undefined });
  });

  test.each([
    ['POST', {}],
    ['PUT', {}],
    ['PATCH', {}],
    ['DELETE', {}],
    ['POST', { headers: { 'Idempotency-Key': 'k1' } }],
    ['GET', { expect: [503] }],
  ])('of %s with %j is the result', async (method, more) => {
    const server = await stub(answering(503));
    expect(await open()({ url: server.url, method, ...more })).toMatchObject({ status: 503, data: 'sorry' });
    expect(server.seen).toHaveLength(1);
  });

  test('of the last attempt is the result', async () => {
    const server = await stub(answering(429, { 'retry-after': '1' }));
    expect(await open()({ url: server.url }, { lastAttempt: true })).toMatchObject({
      status: 429,
      data: 'sorry',
    });
  });

  test.each(['10', new Date(Date.now() + 600_000).toUTCString()])(
    'that lasts longer than the call is the result: retry after %s',
    async (retryAfter) => {
      const server = await stub(answering(503, { 'retry-after': retryAfter }));
      expect(await open()({ url: server.url }, { timeoutMs: 10_000 })).toMatchObject({
        status: 503,
        data: 'sorry',
      });
    },
  );

  test('that leaves no time for another attempt is the result', async () => {
    const server = await stub(answering(503));
    expect(await open()({ url: server.url }, { timeoutMs: 1 })).toMatchObject({ status: 503, data: 'sorry' });
  });
});

describe('a failed connection', () => {
  async function deadServer(): Promise<string> {
    const server = await startStub(() => undefined);
    await server.close();
    return server.url;
  }

  test.each(['GET', 'POST', 'DELETE'])(
    'of %s, before anything was sent, may be tried again',
    async (method) => {
      const marks: boolean[] = [];
      const sent = { earlier: false, set: (isSent: boolean) => void marks.push(isSent) };
      const error = await rejection(open()({ url: await deadServer(), method }, { sent }));
      expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: true });
      expect(error.message).toMatch(/connection refused/);
      expect(marks).toEqual(method === 'GET' ? [] : [true, false]);
    },
  );

  test('behind a redirect is one of a request that was sent', async () => {
    const dead = await deadServer();
    const server = await stub((_, response) => response.writeHead(307, { location: dead }).end());
    const error = await rejection(open()({ url: server.url, method: 'POST' }));
    expect(error).toMatchObject({ retryable: false, message: expect.stringMatching(/not sent again/) });
  });

  test('a POST is sent once, whatever becomes of it', async () => {
    const server = await stub((_, response) => response.socket?.destroy());
    await rejection(open()({ url: server.url, method: 'POST', body: 'pay' }));
    expect(server.seen).toHaveLength(1);
  });
});

test('a changing request whose worker was lost is not sent again unless it is repeatable, a GET is', async () => {
  const server = await stub(answering(200));
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const error = await rejection(open()({ url: server.url, method }, { attempt: 2 }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toMatch(/may have had its effect/);
  }
  expect(server.seen).toHaveLength(0);
  await open()({ url: server.url }, { attempt: 2 });
  await open()({ url: server.url, method: 'POST', repeatable: true }, { attempt: 2 });
  await open()(
    { url: server.url, method: 'POST' },
    { attempt: 2, sent: { earlier: false, set: () => undefined } },
  );
  expect(server.seen).toHaveLength(3);
});

describe('a changing request carries the key of its call', () => {
  const keys = async (args: ToolArguments): Promise<unknown> => {
    const server = await stub(answering(200));
    await open()({ url: server.url, ...args }, { idempotencyKey: 'derived' });
    return server.seen[0]?.headers['idempotency-key'];
  };

  test.each<[ToolArguments, string | undefined]>([
    [{ method: 'POST' }, 'derived'],
    [{ method: 'put' }, 'derived'],
    [{ method: 'PATCH' }, 'derived'],
    [{ method: 'DELETE', headers: { accept: '*/*' } }, 'derived'],
    [{ method: 'POST', headers: { 'IDEMPOTENCY-key': 'own' } }, 'own'],
    [{ method: 'GET' }, undefined],
    [{ method: 'HEAD' }, undefined],
    [{ method: 'OPTIONS' }, undefined],
    [{}, undefined],
  ])('%j: %s', async (args, key) => {
    expect(await keys(args)).toBe(key);
  });
});

describe('a status that is not expected', () => {
  test('fails the call, with the answer in the details', async () => {
    const server = await stub(answering(404, { 'content-type': 'application/json' }, '{"why":"gone"}'));
    const error = await rejection(open()({ url: `${server.url}/a?key=secret`, expect: [200, '201-204'] }));
    expect(error).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      retryable: false,
      message: `GET ${server.url}/a answered 404; expected: [200,"201-204"]`,
      details: { answer: { status: 404, data: { why: 'gone' } } },
    });
  });

  test('leaves out data that are long', async () => {
    const server = await stub(answering(500, { 'content-type': 'application/json' }, '"x"'.padEnd(9_000)));
    const long = await stub(answering(400, {}, 'y'.repeat(9_900)));
    expect(await rejection(open()({ url: server.url, expect: 200 }, { lastAttempt: true }))).toMatchObject({
      details: { answer: { status: 500, data: 'x' } },
    });
    expect(await rejection(open()({ url: long.url, expect: 200 }))).toMatchObject({
      details: { answer: { status: 400, data: 'y'.repeat(9_900) } },
    });
  });

  test('is not one where it is expected', async () => {
    const server = await stub(answering(404));
    expect(await open()({ url: server.url, expect: ['2xx', 404] })).toMatchObject({
      status: 404,
      data: 'sorry',
    });
  });

  test.each([['9xx'], [[]], [99], ['200-'], ['299-200'], [{}], [[200, true]], ['2x'], [1.5]])(
    'cannot be written as %j',
    async (expect_) => {
      const server = await stub(answering(200));
      expect(await rejection(open()({ url: server.url, expect: expect_ }))).toMatchObject({
        code: 'VALIDATION',
        details: { field: 'args.expect' },
      });
      expect(server.seen).toHaveLength(0);
    },
  );
});

test('the deadline ends a call, with its own reason', async () => {
  const controller = new AbortController();
  const reason = new Error('deadline');
  const server = await stub(() => controller.abort(reason));
  expect(await rejection(open()({ url: server.url }, { signal: controller.signal }))).toBe(reason);
});
