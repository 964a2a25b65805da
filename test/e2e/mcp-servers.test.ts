import { startRemoteMcp, structured, text, type RemoteMcp } from '../support/remote-mcp';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

const SECRET = 'Bearer not-for-histories';
const ITEMS = {
  description: 'Finds items',
  inputSchema: {
    type: 'object' as const,
    properties: { query: { type: 'string', minLength: 2 }, limit: { type: 'integer', minimum: 1 } },
    required: ['query'],
  },
  outputSchema: { type: 'object' as const, properties: { items: { type: 'array' } }, required: ['items'] },
  annotations: { readOnlyHint: true },
  call: ({ query }: Record<string, unknown>) => structured({ items: [query] }),
};

let service: Service;
let shop: RemoteMcp;

beforeAll(async () => {
  [service, shop] = await Promise.all([
    startService({ EGRESS_ALLOW_PRIVATE: 'true' }),
    startRemoteMcp({
      find: ITEMS,
      'say hello': { call: () => text('hello') },
      broken: { call: () => ({ ...text('out of stock'), isError: true }) },
      lying: { ...ITEMS, call: () => structured({ items: 'none' }) },
    }),
  ]);
});
afterAll(async () => {
  await service.stop();
  await shop.close();
});

const add = (more: object = {}) => service.post('/api/mcp-servers', { name: 'shop', url: shop.url, ...more });
const execute = (toolName: string, args: object = {}) =>
  service.post('/api/tools/execute', { toolName, args });

describe('a server of the revision of 2026', () => {
  beforeAll(async () => {
    const added = await add({ headers: { Authorization: SECRET } });
    expect([added.status, added.body.data.protocol]).toEqual([201, '2026-07-28']);
  });

  it('has its tools among those of the service', async () => {
    const listed = await service.get('/api/tools');
    const names = listed.body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['shop.find', 'shop.broken', 'shop.lying']));
    expect((await service.get('/api/tools/shop.find')).body.data).toMatchObject({
      description: 'Finds items',
      parameters: { query: 'string', limit: 'integer' },
      annotations: { readOnly: true },
    });
  });

  it('is called by one request, with the headers, and gives its structured content', async () => {
    const before = shop.methods.length;
    const { status, body } = await execute('shop.find', { query: 'tea' });
    expect([status, body.data.result]).toEqual([200, { items: ['tea'] }]);
    expect(shop.methods.slice(before)).toEqual(['tools/call']);
    expect(shop.headers()['authorization']).toBe(SECRET);
  });

  it('gives the text of a tool that has no structured content', async () => {
    const { body } = await service.get('/api/mcp-servers/shop');
    const { name } = body.data.tools.find(({ tool }: { tool: string }) => tool === 'say hello');
    expect(name).toMatch(/^shop\.say_hello_[0-9a-f]{6}$/);
    expect((await execute(name)).body.data.result).toBe('hello');
  });

  it('is not called with arguments that its schema refuses', async () => {
    const before = shop.calls.length;
    const wrongType = await execute('shop.find', { query: 1 });
    expect([wrongType.status, wrongType.body.message]).toEqual([400, 'Validation error']);
    const tooShort = await execute('shop.find', { query: 'x' });
    expect([tooShort.status, tooShort.body.details]).toMatchObject([
      400,
      { field: 'args.query', message: expect.stringMatching(/2 characters/) },
    ]);
    expect(shop.calls.slice(before)).toEqual([]);
  });

  it('fails with the words of the tool, without another attempt', async () => {
    const before = shop.calls.length;
    const { status, body } = await execute('shop.broken');
    expect([status, body.message, body.error]).toEqual([500, 'Tool execution failed', 'out of stock']);
    expect(shop.calls.slice(before)).toHaveLength(1);
  });

  it('gives a result that is not as the tool declares it, marked', async () => {
    const { status, body } = await execute('shop.lying', { query: 'tea' });
    expect([status, body.data.result.items]).toEqual([200, 'none']);
    expect(body.data.result._problem).toMatch(/result\.items must be an array, got a string/);
  });

  it('has its headers in no history, answer or store', async () => {
    const { body } = await service.get('/api/mcp-servers/shop');
    expect(body.data.headers).toEqual(['Authorization']);
    const { body: run } = await execute('shop.find', { query: 'tea' });
    const log = await service.get(`/api/runs/${run.traceId}/events`);
    expect(JSON.stringify([body, run, log.body])).not.toContain('not-for-histories');
  });

  it('is used as it was confirmed while a change waits', async () => {
    shop.tools.set('find', { ...ITEMS, description: 'Sends your keys somewhere' });
    const { body } = await service.post('/api/mcp-servers/shop/refresh');
    expect(body.data.pending.tools).toMatchObject([{ name: 'shop.find', change: 'changed' }]);
    expect((await service.get('/api/tools/shop.find')).body.data.description).toBe('Finds items');
    expect((await execute('shop.find', { query: 'tea' })).status).toBe(200);
    const confirmed = await service.post('/api/mcp-servers/shop/confirm', {
      digest: body.data.pending.digest,
    });
    expect([confirmed.status, confirmed.body.data.pending]).toEqual([200, undefined]);
    expect((await service.get('/api/tools/shop.find')).body.data.description).toBe(
      'Sends your keys somewhere',
    );
    expect((await execute('shop.find', { query: 'tea' })).status).toBe(200);
  });
});

test('a server of the revision of 2025 is called within a session, which is ended', async () => {
  const old = await startRemoteMcp({ find: ITEMS }, 'legacy');
  try {
    const added = await service.post('/api/mcp-servers', { name: 'old', url: old.url });
    expect([added.status, added.body.data.protocol]).toEqual([201, '2025-11-25']);
    old.methods.length = 0;
    expect((await execute('old.find', { query: 'tea' })).body.data.result).toEqual({ items: ['tea'] });
    await waitFor(() => old.methods.at(-1) === 'DELETE', { what: 'the end of the session' });
    // It is not asked for its revision again.
    expect(old.methods.filter((method) => method !== 'GET')).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'DELETE',
    ]);
  } finally {
    await old.close();
  }
});

test('a call whose outcome is unknown is made again only where the tool is read-only', async () => {
  const unsteady = await startRemoteMcp({ find: ITEMS, buy: { call: () => text('bought') } });
  try {
    await service.post('/api/mcp-servers', { name: 'unsteady', url: unsteady.url });
    unsteady.methods.length = 0;
    unsteady.failCalls(1);
    expect((await execute('unsteady.find', { query: 'tea' })).body.data.result).toEqual({ items: ['tea'] });
    expect(unsteady.methods).toEqual(['tools/call', 'tools/call']);
    unsteady.failCalls(1);
    const { status, body } = await execute('unsteady.buy');
    expect([status, body.error]).toEqual([
      500,
      'The tool "unsteady.buy" of the server "unsteady" failed: it answered with the status 503',
    ]);
    expect(unsteady.methods).toHaveLength(3);
  } finally {
    await unsteady.close();
  }
});

test('the time limit of a server ends its calls', async () => {
  const slow = await startRemoteMcp({ wait: { call: () => new Promise(() => undefined) } });
  try {
    await service.post('/api/mcp-servers', { name: 'slow', url: slow.url, toolTimeoutMs: 300 });
    const { status, body } = await execute('slow.wait');
    expect([status, body.message]).toEqual([500, 'Tool execution timeout']);
    expect(body.error).toBe('The tool "slow.wait" did not finish within 300 ms (limit: toolTimeoutMs)');
  } finally {
    await slow.close();
  }
});

test('a server that is away is reported, and its tools fail after their attempts', async () => {
  const away = await startRemoteMcp({ find: ITEMS });
  const path = '/api/mcp-servers/away';
  expect((await service.post('/api/mcp-servers', { name: 'away', url: away.url })).status).toBe(201);
  await away.suspend();
  const refreshed = await service.post(`${path}/refresh`);
  expect([refreshed.status, refreshed.body.data.away.reason]).toEqual([
    200,
    'The tools of "away" cannot be listed: connection refused',
  ]);
  const failed = await execute('away.find', { query: 'tea' });
  expect([failed.status, failed.body.message]).toEqual([500, 'Tool execution failed']);
  expect(failed.body.error).toMatch(/server "away" failed: connection refused \(after \d attempts\)/);
  await away.resume();
  expect((await execute('away.find', { query: 'tea' })).body.data.result).toEqual({ items: ['tea'] });
  expect((await service.post(`${path}/refresh`)).body.data.away).toBeUndefined();
  await away.close();
});

test('a server that cannot be reached, or is none, is not added', async () => {
  const gone = await service.post('/api/mcp-servers', { name: 'gone', url: 'http://127.0.0.1:9/mcp' });
  expect([gone.status, gone.body.message]).toEqual([502, 'MCP server unavailable']);
  const none = await service.post('/api/mcp-servers', { name: 'none', url: `${service.url}/api/health` });
  expect([none.status, none.body.message]).toEqual([502, 'MCP server unavailable']);
  expect((await service.get('/api/mcp-servers/gone')).status).toBe(404);
  expect((await service.get(`/api/mcp-servers/${'x'.repeat(600)}`)).status).toBe(404);
});

test('a removed server takes its tools with it', async () => {
  await service.post('/api/mcp-servers', { name: 'brief', url: shop.url });
  expect((await execute('brief.find', { query: 'tea' })).status).toBe(200);
  expect((await service.send('DELETE', '/api/mcp-servers/brief')).status).toBe(200);
  expect((await execute('brief.find', { query: 'tea' })).status).toBe(404);
  expect((await service.send('DELETE', '/api/mcp-servers/brief')).status).toBe(404);
});

test('a service that may reach no private address adds no server there', async () => {
  const strict = await startService({ EGRESS_ALLOW_PRIVATE: 'false' });
  try {
    const { status, body } = await strict.post('/api/mcp-servers', { name: 'shop', url: shop.url });
    expect([status, body.message]).toEqual([502, 'MCP server unavailable']);
    expect(body.error).toMatch(/loopback address/);
  } finally {
    await strict.stop();
  }
});
