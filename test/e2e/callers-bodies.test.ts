import { randomUUID } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { request, type Answer } from '../support/http';
import { connectMcp } from '../support/mcp';
import type { SharedService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { useService } from '../support/use-service';

const ID = '7615917337495251231';
const LONE = String.raw`"hi \ud83d"`;

let service: SharedService;
let peer: StubPeer;
beforeAll(async () => {
  peer = await startStubPeer(({ path }, response) => {
    if (path === '/big')
      response.setHeader('content-type', 'application/json').end(`{"id":${ID},"far":1e400}`);
    else if (path === '/half')
      response.setHeader('content-type', 'application/json').end(String.raw`{"a\ud83d":"\ude00"}`);
    else sendJson(response, 200, {});
  });
  service = await useService();
});
afterAll(() => Promise.all([service.stop(), peer.close()]));

const sent = (
  path: string,
  body: string | Uint8Array,
  type = 'application/json',
  headers = {},
): Promise<Answer> =>
  request(service.url + path, { method: 'POST', body, headers: { 'content-type': type, ...headers } });
const execute = (body: string): Promise<Answer> => sent('/api/tools/execute', body);
const event = (user: string, content: string): string =>
  `{"userId":"${user}","sessionId":"s","content":${content}}`;

describe('numbers', () => {
  test('an integer of a response keeps its digits through templates, to the next call and the result', async () => {
    const { body } = await service.post('/api/workflow/execute-custom', {
      workflow: {
        name: 'ids',
        steps: [
          { id: 'read', type: 'api_call', config: { url: `${peer.url}/big` } },
          {
            id: 'write',
            type: 'tool_execution',
            config: {
              toolName: 'api_call',
              args: { url: `${peer.url}/sink`, method: 'POST', body: { id: '{{read.result.data.id}}' } },
            },
          },
        ],
      },
      inputs: {},
    });
    expect(body.data.results.read.result.data).toEqual({ id: ID, far: '1e400' });
    expect(peer.requests.findLast(({ path }) => path === '/sink')?.body).toBe(`{"id":"${ID}"}`);
  });

  test('json_reader keeps them', async () => {
    const args = { jsonString: `{"ids":[${ID},1]}`, path: '$.ids' };
    const { body } = await service.post('/api/tools/execute', { toolName: 'json_reader', args });
    expect(body.data.result.result).toEqual([ID, 1]);
    const all = { ...args, path: '$..*' };
    expect((await service.post('/api/tools/execute', { toolName: 'json_reader', args: all })).text).toContain(
      `"${ID}"`,
    );
  });

  test('a body keeps them as text', async () => {
    const user = randomUUID();
    const created = await sent(
      '/api/memory/episodic',
      `{"userId":"${user}","sessionId":"s","content":"hi","context":{"id":${ID},"exact":9007199254740992}}`,
    );
    expect(created.body.data.context).toEqual({ id: ID, exact: 9007199254740992 });
    const read = await service.get(`/api/memory/episodic/${created.body.data.id}`);
    expect(read.body.data.context).toEqual({ id: ID, exact: 9007199254740992 });
  });

  test('a number beyond the range is refused with its place', async () => {
    const { status, body } = await execute(
      '{"toolName":"calculator",\n"args":{"operation":"add","a":1e400,"b":1}}',
    );
    expect([status, body.details]).toEqual([
      400,
      { field: 'body', message: 'the number 1e400 at line 2, column 31 is beyond the range of numbers' },
    ]);
  });

  test('a parameter that has to be a number says why it refuses the text', async () => {
    const argument = await execute(`{"toolName":"calculator","args":{"operation":"add","a":${ID},"b":1}}`);
    const why = 'got a text, because a number of this size cannot be held exactly';
    expect([argument.status, argument.body.details]).toMatchObject([
      400,
      { field: 'args.a', message: `must be a finite number, ${why}` },
    ]);
    const field = await sent('/api/memory/search', `{"userId":"a","query":"b","limit":${ID}}`);
    expect([field.status, field.body.details]).toEqual([
      400,
      { field: 'limit', message: `must be a number, ${why}` },
    ]);
  });

  test('an MCP client is refused in the same way, and its integers are kept', async () => {
    const call = (name: string, args: string): Promise<Answer> =>
      sent(
        '/mcp',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`,
        'application/json',
        { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
      );
    expect((await call('calculator', '{"operation":"add","a":1e400,"b":1}')).status).toBe(400);
    const { client, close } = await connectMcp(service.url, 'legacy');
    const refused = await client.callTool({
      name: 'calculator',
      arguments: { operation: 'add', a: ID, b: 1 },
    });
    expect(JSON.stringify(refused)).toContain('cannot be held exactly');
    await close();
  });
});

describe('charsets', () => {
  test('the named one is decoded, in chunks too', async () => {
    const user = randomUUID();
    const latin1 = Buffer.from(event(user, '"café"'), 'latin1');
    const created = await sent('/api/memory/episodic', latin1, 'application/json; charset=iso-8859-1');
    expect([created.status, created.body.data.content]).toEqual([201, 'café']);
    const utf16 = Buffer.from(`\ufeff${event(user, '"日本 😀"')}`, 'utf16le');
    const wide = await sent('/api/memory/episodic', utf16, 'application/json; charset=utf-16');
    expect([wide.status, wide.body.data.content]).toEqual([201, '日本 😀']);
  });

  test('an unknown one is a 415, and bytes of another one are a 400', async () => {
    const unknown = await sent(
      '/api/memory/episodic',
      event('a', '"b"'),
      'application/json; charset=klingon',
    );
    expect([unknown.status, unknown.body.message]).toEqual([415, expect.stringContaining('klingon')]);
    const wrong = await sent('/api/memory/episodic', Buffer.from(event('a', '"café"'), 'latin1'));
    expect([wrong.status, wrong.body.details.field]).toEqual([400, 'body']);
    expect(wrong.body.details.message).toMatch(/not text in utf-8; another charset has to be named/);
  });
});

test.each([
  ['/api/memory/episodic', event('a', LONE), 'content'],
  ['/api/memory/semantic', `{"userId":"a","concept":"b","description":${LONE}}`, 'description'],
  ['/api/agent/execute', `{"query":${LONE},"options":{"userId":"a","sessionId":"b"}}`, 'query'],
  ['/api/memory-chat/chat', `{"userId":"a","sessionId":"b","message":${LONE}}`, 'message'],
  [
    '/api/intent-classifier/classify',
    `{"query":"a","options":{"userId":"a","sessionId":"b","context":{"x":[${LONE}]}}}`,
    'options.context.x[0]',
  ],
  ['/api/tools/execute', `{"toolName":"calculator","args":{"a":${LONE}}}`, 'args.a'],
  ['/api/tools/mcp', `{"query":${LONE}}`, 'query'],
  ['/api/workflow/execute-custom', `{"workflow":{"name":"a","steps":[]},"inputs":{"a":${LONE}}}`, 'inputs.a'],
])('%s refuses half a surrogate pair, and names the field', async (path, body, field) => {
  const { status, text: said } = await sent(path, body);
  expect(status).toBe(400);
  expect(said).toContain('must have no lone surrogates');
  if (!path.includes('workflow') && !path.includes('agent') && !path.includes('intent'))
    expect((JSON.parse(said) as { details: object }).details).toMatchObject({ field });
});

test('an output of a tool has U+FFFD for half a pair', async () => {
  const fetched = await service.post('/api/tools/execute', {
    toolName: 'api_call',
    args: { url: `${peer.url}/half` },
  });
  expect(fetched.body.data.result.data).toEqual({ 'a\ufffd': '\ufffd' });
  const name = `half-${randomUUID()}`;
  await service.post('/api/tools/register', {
    name,
    description: 'h',
    parameters: {},
    execute: String.raw`() => ['\ud83d', '😀']`,
  });
  expect((await service.post('/api/tools/execute', { toolName: name })).body.data.result).toEqual([
    '\ufffd',
    '😀',
  ]);
});

test('an Idempotency-Key may be quoted, and have any visible characters', async () => {
  const add = { toolName: 'calculator', args: { operation: 'add', a: 20, b: 22 } };
  const run = async (key: string): Promise<readonly unknown[]> => {
    const { status, headers } = await service.post('/api/tools/execute', add, { 'idempotency-key': key });
    return [status, headers.get('x-workflow-id')];
  };
  const id = randomUUID();
  expect(await run(id)).toEqual([200, `execute-tool/key-${id}`]);
  expect(await run(`"${id}"`)).toEqual([200, `execute-tool/key-${id}`]);
  const base64 = `${randomUUID()}/+==`;
  const first = await run(base64);
  expect(first[0]).toBe(200);
  expect(await run(`"${base64}"`)).toEqual(first);
  expect((await run(`${'x'.repeat(219)}${randomUUID()}`))[0]).toBe(200);
  expect((await run(`${'x'.repeat(220)}${randomUUID()}`))[0]).toBe(400);
});

describe('names of users', () => {
  /** A client that sends the path as it is. */
  const raw = (
    method: string,
    path: string,
  ): Promise<{ readonly status: number | undefined; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const sending = rawRequest({ hostname, port, method, path, agent: false }, (response) => {
        text(response).then((said) => resolve({ status: response.statusCode, text: said }), reject);
      });
      sending.on('error', reject);
      sending.end();
    });

  test.each([
    'a/b',
    'a+b@example.com',
    '%2F',
    '%2e%2e',
    '   ',
    '...',
    '.a',
    'ä/../b',
    '?#;&=',
    'a\'b"c<>',
    '\\',
  ])('%p is read and erased from any client', async (mark) => {
    const user = `${mark}${randomUUID()}${mark}`;
    const created = await service.post('/api/memory/episodic', {
      userId: user,
      sessionId: 's',
      content: 'hi',
    });
    expect(created.status).toBe(201);
    const path = encodeURIComponent(user);
    for (const client of [raw, (method: string, at: string) => service.send(method, at)]) {
      const exported = await client('GET', `/api/memory/export/${path}`);
      expect([exported.status, exported.text]).toEqual([200, expect.stringContaining('"content":"hi"')]);
    }
    const byQuery = await service.get(`/api/memory/export?userId=${path}`);
    expect(byQuery.text).toContain('"content":"hi"');
    expect((await service.send('DELETE', `/api/memory/clear/${path}`)).status).toBe(200);
    expect((await raw('GET', `/api/memory/export/${path}`)).text).not.toContain('"content"');
  });

  test.each(['.', '..'])('%p is refused where something is stored', async (userId) => {
    const turn = { userId, sessionId: 's' };
    const refused = await Promise.all([
      service.post('/api/memory/episodic', { ...turn, content: 'hi' }),
      service.post('/api/memory/episodic', { userId: 'a', sessionId: userId, content: 'hi' }),
      service.post('/api/memory/semantic', { userId, concept: 'a', description: 'b' }),
      service.post('/api/memory-chat/knowledge', { userId, concept: 'a', description: 'b' }),
      service.post('/api/memory-chat/chat', { ...turn, message: 'hi' }),
      service.post('/api/agent/execute', { query: 'hi', options: turn }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    for (const { text: said } of refused) expect(said).toContain('must not be \\".\\" or \\"..\\"');
    // One that an earlier build has stored.
    const name = encodeURIComponent(userId);
    expect((await service.get(`/api/memory/export?userId=${name}`)).text).toContain('"kind":"end"');
    const erased = await service.send('DELETE', `/api/memory/clear?userId=${name}`);
    expect([erased.status, erased.body.data.cleared]).toEqual([200, true]);
  });
});
