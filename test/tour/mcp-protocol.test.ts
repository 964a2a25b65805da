import { request } from '../support/http';
import { connectMcp, textOf, type McpConnection, type McpEra } from '../support/mcp';
import type { SharedService } from '../support/service';
import { useServiceAlone } from '../support/use-service';

let api: SharedService;
beforeAll(async () => {
  api = await useServiceAlone();
  const registered = await api.post('/api/tools/register', {
    name: 'shout',
    description: 'Says it loudly',
    parameters: {
      text: { type: 'string', description: 'What to say' },
      tone: { type: 'string', enum: ['kind', 'stern'], required: false },
      extra: { type: 'any', required: false },
    },
    annotations: { readOnly: true, destructive: false },
    execute:
      '(args) => { if (args.text === "fail") throw new Error("too loud"); return args.text.toUpperCase() }',
  });
  expect(registered.status).toBe(201);
});
afterAll(() => api.stop());

describe.each<McpEra>(['modern', 'legacy'])('a client of the %s era', (era) => {
  let connection: McpConnection;
  beforeAll(async () => {
    connection = await connectMcp(api.url, era);
  });
  afterAll(() => connection.close());

  test('negotiates its revision', () => {
    const version = connection.client.getNegotiatedProtocolVersion();
    expect(version).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
  });

  test('reads that no list announces its changes', () => {
    const { tools, prompts, resources } = connection.client.getServerCapabilities() ?? {};
    expect([tools, prompts, resources]).toEqual(Array(3).fill({ listChanged: false }));
  });

  test('lists the tools of the registry with their schemas and hints', async () => {
    const { tools } = await connection.client.listTools();
    const { body } = await api.get('/api/tools');
    const { body: workflows } = await api.get('/api/workflow/workflows');
    const names = [
      ...body.data.map(({ name }: { name: string }) => name),
      ...workflows.data.workflows.map(({ id }: { id: string }) => `workflow_${id}`),
      ...['ask_agent', 'search_memories'],
    ];
    expect(tools.map(({ name }) => name)).toEqual(names.sort());
    expect(tools.find(({ name }) => name === 'shout')).toMatchObject({
      description: 'Says it loudly',
      annotations: { readOnlyHint: true, destructiveHint: false },
      inputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'What to say' },
          tone: { type: 'string', enum: ['kind', 'stern'], description: '' },
          extra: { description: '' },
        },
        required: ['text'],
      },
    });
  });

  test('calls a tool, whose run it can look up', async () => {
    const result = await connection.client.callTool({ name: 'shout', arguments: { text: 'hello' } });
    expect(result.isError).not.toBe(true);
    expect(textOf(result)).toBe('HELLO');
    expect(result.structuredContent).toEqual({ result: 'HELLO' });
    const meta = result._meta as Record<'holdfast/runId' | 'holdfast/workflowId', string>;
    const path = `/api/runs/${meta['holdfast/runId']}?workflowId=${encodeURIComponent(meta['holdfast/workflowId'])}`;
    const { body } = await api.get(path);
    expect(body.data).toMatchObject({
      type: 'executeTool',
      status: 'completed',
      result: { result: 'HELLO' },
    });
    const { contents } = await connection.client.readResource({
      uri: `holdfast://runs/${meta['holdfast/runId']}`,
    });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ status: 'completed' });
  });

  test('gets the failure of a tool, and what is wrong with its arguments, as results', async () => {
    const failed = await connection.client.callTool({ name: 'shout', arguments: { text: 'fail' } });
    expect([failed.isError, textOf(failed).includes('too loud')]).toEqual([true, true]);
    expect(failed._meta).toMatchObject({ 'holdfast/code': 'TOOL_EXECUTION_FAILED' });
    const invalid = await connection.client.callTool({ name: 'shout', arguments: { text: 1 } });
    expect([invalid.isError, invalid._meta!['holdfast/code']]).toEqual([true, 'VALIDATION']);
    expect(textOf(invalid)).toContain('args.text');
  });

  test('gets an error of the protocol for a tool, a run or a cursor that does not exist', async () => {
    const { client } = connection;
    await expect(client.callTool({ name: 'absent', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.request({ method: 'tools/list', params: { cursor: 'x' } })).rejects.toMatchObject({
      code: -32602,
    });
    for (const uri of ['holdfast://runs/00000000-0000-7000-8000-000000000000', 'file:///etc/passwd'])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { uri } });
  });
});

test('tools are listed in pages', async () => {
  for (let at = 0; at < 120; at += 1) {
    const name = `page_${String(at).padStart(3, '0')}`;
    expect((await api.post('/api/tools/register', { name, execute: '() => 1' })).status).toBe(201);
  }
  const { client, close } = await connectMcp(api.url, 'modern');
  const first = await client.request({ method: 'tools/list', params: {} });
  expect(first.tools).toHaveLength(100);
  const second = await client.request({ method: 'tools/list', params: { cursor: first.nextCursor! } });
  expect(second.nextCursor).toBeUndefined();
  const names = [...first.tools, ...second.tools].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('page_119');
  await close();
});

test('a session that does not exist, a page of another origin and other methods are refused', async () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const send = (more: Record<string, string>) =>
    request(`${api.url}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body: message });
  expect((await send({ 'mcp-session-id': 'unknown' })).status).toBe(404);
  expect((await send({ origin: 'https://elsewhere.example' })).status).toBe(403);
  // A stream may be read by no page either.
  const page = { origin: 'https://elsewhere.example', accept: 'text/event-stream' };
  expect((await request(`${api.url}/mcp`, { headers: page })).status).toBe(403);
  expect((await request(`${api.url}/mcp`, { method: 'PUT' })).status).toBe(405);
});

test.each([
  ['resources/read', { uri: { toString: 1, valueOf: 1 } }],
  ['resources/read', { uri: ['holdfast://runs/x'] }],
  ['resources/read', {}],
  ['resources/list', { cursor: 5 }],
  ['tools/list', { cursor: 5 }],
  ['prompts/list', { cursor: {} }],
  ['prompts/get', { name: 5 }],
  ['prompts/get', { name: 'compare-endpoints', arguments: { first: 5 } }],
])('wrong parameters of %s are an error of the caller: %j', async (method, params) => {
  const message = { jsonrpc: '2.0', id: 1, method, params };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const body = JSON.stringify(message);
  const { status, text } = await request(`${api.url}/mcp`, { method: 'POST', headers, body });
  expect([status, text]).toEqual([200, expect.stringContaining('"code":-32602')]);
});

test('a request whose JSON is malformed is answered as JSON-RPC does', async () => {
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await request(`${api.url}/mcp`, { method: 'POST', headers, body: '{"jsonrpc"' });
  expect([status, body]).toMatchObject([400, { jsonrpc: '2.0', id: null, error: { code: -32700 } }]);
});
