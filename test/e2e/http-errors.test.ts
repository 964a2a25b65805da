import { gzipSync } from 'node:zlib';
import { request } from '../support/http';
import { type Service, startService } from '../support/service';

let service: Service;

beforeAll(async () => {
  service = await startService({ MAX_BODY_BYTES: '20000' });
});
afterAll(() => service.stop());

const raw = (path: string, body: string, type = 'application/json', method = 'POST') =>
  request(service.url + path, { method, body, headers: { 'content-type': type } });

const EXECUTE = '/api/tools/execute';

test.each([
  ['cut-off JSON', '{"toolName":', 400, 'Validation error'],
  [
    'a prototype-poisoning key',
    '{"toolName":"calculator","args":{"__proto__":{"a":1}}}',
    400,
    'Validation error',
  ],
  ['a bare string', '"calculator"', 400, 'Validation error'],
  ['an array', '[]', 400, 'Validation error'],
  [
    'deep nesting',
    `{"toolName":"calculator","args":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
    400,
    'Validation error',
  ],
  [
    'a body over the limit',
    JSON.stringify({ toolName: 'x', args: { a: 'x'.repeat(30_000) } }),
    413,
    'Request body too large',
  ],
])('%s', async (_case, body, status, message) => {
  const answer = await raw(EXECUTE, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ success: false, message, error: expect.any(String) });
  if (status === 400) {
    expect(answer.body.error).toBe('Invalid input data');
    expect(answer.body.details).toEqual({ field: 'body', message: expect.any(String) });
  }
});

test('a chunked body over the limit is refused as well', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 40; i += 1) controller.enqueue(new TextEncoder().encode(' '.repeat(1_000)));
      controller.close();
    },
  });
  const answer = await request(service.url + EXECUTE, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'application/json', connection: 'keep-alive' },
  });
  expect(answer.status).toBe(413);
});

test('another content type is a 415', async () => {
  const answer = await raw(EXECUTE, 'toolName=calculator', 'application/x-www-form-urlencoded');
  expect(answer.status).toBe(415);
  expect(answer.body.message).toBe('Unsupported media type');
  const patch = await raw(EXECUTE, '{"toolName":"calculator"}', 'application/json-patch+json');
  expect(patch.status).toBe(415);
});

test('a body in an encoding that is not understood is a 415 that says so', async () => {
  const answer = await request(service.url + EXECUTE, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', 'content-encoding': 'zstd' },
  });
  expect(answer.status).toBe(415);
  expect(answer.body.error).toMatch(/Content-Encoding.*zstd/);
});

test('the name of an encoding has no case', async () => {
  const call = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };
  const answer = await request(service.url + EXECUTE, {
    method: 'POST',
    body: gzipSync(JSON.stringify(call)),
    headers: { 'content-type': 'application/json', 'content-encoding': 'GZIP' },
  });
  expect([answer.status, answer.body.data?.result]).toEqual([200, 3]);
});

test('a value of the wrong type is not called missing', async () => {
  const wrong = await service.post(EXECUTE, { toolName: 5 });
  expect(wrong.body.details.message).toMatch(/expected string, received number/);
  const missing = await service.post(EXECUTE, {});
  expect(missing.body.details.message).toBe('toolName is required');
});

test.each([
  ['an empty body', {}, 'toolName'],
  ['a name of the wrong type', { toolName: 5 }, 'toolName'],
  ['an empty name', { toolName: '' }, 'toolName'],
  ['an over-long name', { toolName: 'x'.repeat(1_000) }, 'toolName'],
  ['args of the wrong type', { toolName: 'calculator', args: [] }, 'args'],
  ['a missing argument', { toolName: 'calculator', args: { operation: 'add', a: 1 } }, 'args.b'],
  [
    'an argument of the wrong type',
    { toolName: 'calculator', args: { operation: 'add', a: 1, b: '2' } },
    'args.b',
  ],
  [
    'an unknown operation',
    { toolName: 'calculator', args: { operation: 'power', a: 1, b: 2 } },
    'args.operation',
  ],
  ['an unknown argument', { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2, c: 3 } }, 'args.c'],
  [
    'a constructor key',
    { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2, constructor: 1 } },
    'args.constructor',
  ],
  ['a limit above the setting', { toolName: 'calculator', options: { timeout: 30_001 } }, 'options.timeout'],
  ['a limit of zero', { toolName: 'calculator', options: { timeout: 0 } }, 'options.timeout'],
])('%s names the field', async (_case, body, field) => {
  const answer = await service.post(EXECUTE, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    success: false,
    message: 'Validation error',
    error: 'Invalid input data',
    details: { field, message: expect.any(String) },
  });
});

test.each(['constructor', '__proto__', 'toString'])('%s is no tool', async (toolName) => {
  const answer = await service.post(EXECUTE, { toolName });
  expect(answer.status).toBe(404);
});

test('a list of tools that is none, empty or absent', async () => {
  for (const tools of [undefined, [], 'calculator', [7], [{ args: {} }]]) {
    const answer = await service.post('/api/tools/execute-multiple', { tools });
    expect(answer.status).toBe(400);
    expect(answer.body.details.field).toMatch(/^tools/);
  }
});

test('every refusal has its code, title and detail, in all areas and on both ports', async () => {
  const json = { 'content-type': 'application/json' };
  const large = JSON.stringify({ a: 'x'.repeat(30_000) });
  const long = Array(3).fill('x'.repeat(200)).join('/');
  const refusals: [path: string, init: RequestInit, code: string, title: string][] = [
    ['/api/tools', { method: 'PUT' }, 'METHOD_NOT_ALLOWED', 'Method not allowed'],
    ['/api/tools/none', {}, 'TOOL_NOT_FOUND', 'Tool not found'],
    [EXECUTE, { method: 'POST', body: '{', headers: json }, 'MALFORMED_JSON', 'Validation error'],
    [EXECUTE, { method: 'POST', body: 'x' }, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type'],
    [EXECUTE, { method: 'POST', body: large, headers: json }, 'BODY_TOO_LARGE', 'Request body too large'],
    [EXECUTE, { method: 'POST', headers: { origin: 'null' } }, 'HOST_NOT_ALLOWED', 'Host not allowed'],
    ['/api/memory/search', { method: 'POST', body: '{}', headers: json }, 'VALIDATION', 'Validation error'],
    [
      '/api/agent/execute',
      { method: 'POST', body: '{}', headers: json },
      'AGENT_QUERY_INVALID',
      'Missing or invalid query',
    ],
    [`/api/memory/${long}`, {}, 'PATH_NOT_FOUND', 'Not found'],
    ['/nowhere', {}, 'PATH_NOT_FOUND', 'Not found'],
  ];
  for (const [path, init, code, title] of refusals) {
    const { body } = await request(service.url + path, init);
    expect([path, body]).toMatchObject([path, { success: false, code, title, detail: expect.any(String) }]);
    expect([body.message, body.error]).toContain(title);
  }
  const record = await request(`${service.recordsUrl}/api/shipments/none`);
  expect(record.body).toMatchObject({
    code: 'RECORD_NOT_FOUND',
    title: 'Record not found',
    detail: record.body.message,
  });
});

test('the root of both ports says what is here, to programs and to browsers', async () => {
  for (const [url, other, where] of [
    [service.url, 'records', service.recordsUrl],
    [service.recordsUrl, 'main', service.url],
  ] as const) {
    const { status, body } = await request(`${url}/`);
    expect([status, body.success, body.data.version]).toEqual([200, true, expect.any(String)]);
    const links = body.data.links as Record<string, string>;
    expect(links[other]).toBe(where);
    expect(Object.hasOwn(links, 'mcp')).toBe(url === service.url);
    const page = await request(`${url}/`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    for (const link of Object.values(links)) {
      expect(page.text).toContain(`href="${link}"`);
      // A GET is no message of the protocol.
      const answer = await request(link.startsWith('/') ? url + link : link);
      expect([link, answer.status]).toEqual([link, link === '/mcp' ? 405 : 200]);
    }
    expect((await request(`${url}/`, { method: 'POST' })).status).toBe(405);
  }
});

test('an unknown path is a 404 in the form of its area', async () => {
  const tools = await service.get('/api/nowhere');
  expect(tools.status).toBe(404);
  expect(tools.body).toMatchObject({
    success: false,
    message: 'Not found',
    error: expect.stringContaining('/api/nowhere'),
  });
  const memory = await service.get('/api/memory/nowhere');
  expect(memory.body).toMatchObject({
    success: false,
    message: expect.stringContaining('/api/memory'),
    error: 'Not found',
  });
  expect((await service.get('/api/v2/tools')).status).toBe(404);
});

test.each([
  ['GET', '/api/tools/%E0%A4%A'],
  ['GET', '/api/tools/%zz'],
  // In ISO 8859-1 this is a user who exists elsewhere under another name, so it must not count as erased.
  ['DELETE', '/api/memory/clear/caf%E9'],
])('%s %s, whose escapes are not valid, is a 404', async (method, path) => {
  const { status, text } = await service.send(method, path);
  expect([status, text]).toEqual([404, expect.stringContaining('The path is not valid')]);
});

test.each([
  ['GET', EXECUTE, 'POST'],
  ['PUT', '/api/tools/register', 'POST'],
  ['POST', '/api/tools', 'GET'],
  ['PATCH', '/api/tools/calculator', 'GET'],
])('%s %s is a 405 with Allow', async (method, path, allowed) => {
  const answer = await service.send(method, path);
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toContain(allowed);
  expect(answer.body).toMatchObject({ success: false, message: 'Method not allowed' });
});

test('a foreign Host is refused while the server is open on loopback', async () => {
  const { hostname, port } = new URL(service.url);
  const { request: rawRequest } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    rawRequest(
      { host: hostname, port, path: '/api/tools', headers: { host: 'evil.example' } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    )
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

describe('a request of a page from elsewhere', () => {
  const from = (origin: string, method = 'POST', path = '/api/tools/restore') =>
    request(service.url + path, { method, headers: { origin } });

  test.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'nonsense'])(
    'of %s changes nothing',
    async (origin) => {
      const before = (await service.get('/api/tools')).body.data.length;
      for (const answer of [
        await from(origin, 'POST', '/api/tools/clear'),
        await from(origin, 'DELETE', '/api/tools/calculator'),
      ]) {
        expect(answer.status).toBe(403);
        expect(answer.body).toMatchObject({ success: false, message: 'Host not allowed' });
      }
      expect((await service.get('/api/tools')).body.data).toHaveLength(before);
    },
  );

  test('may read what its browser lets it, and a page from here may do all', async () => {
    expect((await from('https://evil.example', 'GET', '/api/tools')).status).toBe(200);
    expect((await from(service.url)).status).toBe(200);
    expect((await from('http://localhost:8080')).status).toBe(200);
  });
});

test('a slash at the end changes nothing; case does', async () => {
  expect((await service.get('/api/tools/')).status).toBe(200);
  expect((await service.get('/api/v1/tools/calculator/')).body.data.name).toBe('calculator');
  const get = await service.get('/api/tools/execute/');
  expect(get.status).toBe(405);
  expect(get.headers.get('allow')).toBe('POST');
  expect((await service.post('/api/tools/execute/', {})).status).toBe(400);
  for (const path of ['/API/tools', '/API/V1/tools', '/api/V1/tools', '/api/Tools']) {
    expect((await service.get(path)).status).toBe(404);
  }
  expect((await service.get('/api/tools/EXECUTE')).body.message).toBe('Tool not found');
});

test.each(['GET', 'PUT', 'DELETE'])(
  '%s at a path of POST is a 405, and no tool of that name',
  async (method) => {
    for (const path of ['/api/tools/mcp', '/api/v1/tools/execute-with-llm/']) {
      const answer = await service.send(method, path);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
    }
  },
);

test('a request id is taken over when it is sound, else made', async () => {
  const given = await request(`${service.url}/api/tools`, { headers: { 'x-request-id': 'abc-1' } });
  expect(given.headers.get('x-request-id')).toBe('abc-1');
  const odd = await request(`${service.url}/api/tools`, { headers: { 'x-request-id': 'a b' } });
  expect(odd.headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/);
});

test('a bad Idempotency-Key is refused', async () => {
  const answer = await service.post(EXECUTE, { toolName: 'calculator' }, { 'idempotency-key': 'a b' });
  expect(answer.status).toBe(400);
  expect(answer.body.details.field).toBe('Idempotency-Key');
});

test('the OpenAPI document lists every path, and the page loads from here alone', async () => {
  const document = await service.get('/api/openapi.json');
  expect(document.body.openapi).toBe('3.1.0');
  expect(Object.keys(document.body.paths)).toEqual(
    expect.arrayContaining([
      '/api/tools',
      '/api/tools/{toolName}',
      '/api/tools/execute',
      '/api/health',
      '/api/runs/{traceId}',
    ]),
  );
  const page = await service.get('/api-docs');
  expect(page.text).toContain('swagger-ui-bundle.js');
  expect(page.text).not.toMatch(/https?:\/\//);
  expect((await service.get('/api-docs/swagger-ui-bundle.js')).text.length).toBeGreaterThan(100_000);
});

test('a connection goes on being served after a body that was refused half-way', async () => {
  const { Agent, request: rawRequest } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = (body: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      rawRequest(service.url + EXECUTE, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end(body);
    });
  expect(await call(' '.repeat(400_000))).toBe(413);
  expect(await call('{}')).toBe(400);
  agent.destroy();
});
