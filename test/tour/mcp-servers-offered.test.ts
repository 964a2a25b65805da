import { callForTask, connectMcp, taskIn, TASKS, textOf } from '../support/mcp';
import { startRemoteMcp, structured, text, type RemoteMcp } from '../support/remote-mcp';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

/** Schemas with what parameters of the registry cannot express. */
const OUTPUT = {
  type: 'object' as const,
  $defs: { item: { type: 'string', minLength: 1 } },
  properties: { items: { type: 'array', items: { $ref: '#/$defs/item' } } },
  required: ['items'],
  additionalProperties: false,
};
const inputOf = (region: Record<string, string>) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  properties: {
    region,
    query: { allOf: [{ type: 'string' }], minLength: 2 },
    place: { type: 'object', properties: { 'x-mcp-header': { type: 'string' } } },
  },
  required: ['region'],
  dependentRequired: { query: ['region'] },
});
const PICTURE = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
/** More than a result has room for. */
const LONG = 'x'.repeat(70_000);

/** Answers only after the call has become a task. */
let answerSlowly: () => void;
const slow = new Promise<ReturnType<typeof structured>>((resolve) => {
  answerSlowly = () => resolve(structured({ items: [LONG] }));
});

let service: SharedService;
let shop: RemoteMcp;
beforeAll(async () => {
  [service, shop] = await Promise.all([
    useService(),
    startRemoteMcp({
      find: {
        inputSchema: inputOf({ type: 'string', 'x-mcp-header': 'Region' }),
        outputSchema: OUTPUT,
        annotations: { readOnlyHint: true },
        call: ({ query }) => structured({ items: [query ?? LONG] }),
      },
      slow: { outputSchema: OUTPUT, call: () => slow },
      content: { outputSchema: { type: 'object' }, call: () => structured({ content: [] }) },
      plain: { call: () => text(LONG) },
      wordy: {
        outputSchema: OUTPUT,
        call: () => ({
          content: [{ type: 'text', text: 'Tea is there' }, PICTURE],
          structuredContent: { items: ['tea'] },
        }),
      },
      order: { outputSchema: OUTPUT, call: () => text('Ordered: number 7') },
    }),
  ]);
  const added = await service.post('/api/mcp-servers', { name: 'shop', url: shop.url });
  expect(added.status).toBe(201);
});
afterAll(async () => {
  await service.stop();
  await shop.close();
});

test.each(['modern', 'legacy'] as const)(
  'remote tools are listed with the schemas of their server, and called: %s',
  async (era) => {
    const connection = await connectMcp(service.url, era);
    const { client } = connection;
    try {
      const { tools } = await client.listTools();
      for (const { name } of tools) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
      const find = tools.find(({ name }) => name === 'shop__find');
      // The service checks no header of a call, so it does not ask for one.
      expect(find).toMatchObject({ outputSchema: OUTPUT, annotations: { readOnlyHint: true } });
      expect(find?.inputSchema).toEqual(inputOf({ type: 'string' }));
      expect(tools.find(({ name }) => name === 'shop__plain')?.inputSchema).toEqual({ type: 'object' });

      const found = await client.callTool({ name: 'shop__find', arguments: { region: 'eu', query: 'tea' } });
      expect(found.structuredContent).toEqual({ items: ['tea'] });
      expect(shop.headers()['mcp-param-region']).toBe('eu');
      // The client refuses results without the structured content that was declared.
      const long = await client.callTool({ name: 'shop.find', arguments: { region: 'eu' } });
      expect(long.structuredContent).toEqual({ items: [LONG] });
      expect(textOf(long)).toMatch(/^The result has \d+ bytes/);
      const content = await client.callTool({ name: 'shop__content', arguments: {} });
      expect(content.structuredContent).toEqual({ content: [] });
      const plain = await client.callTool({ name: 'shop.plain', arguments: {} });
      expect(plain.structuredContent).toBeUndefined();

      const wordy = await client.callTool({ name: 'shop__wordy', arguments: {} });
      expect(wordy.structuredContent).toEqual({ items: ['tea'] });
      expect(wordy.content).toEqual([
        { type: 'text', text: '{"items":["tea"]}' },
        { type: 'text', text: 'Tea is there' },
        PICTURE,
      ]);
      const before = shop.calls.length;
      const unstructured = await client.callTool({ name: 'shop__order', arguments: {} });
      expect(unstructured).toMatchObject({ isError: true, content: [{}, { text: 'Ordered: number 7' }] });
      expect(textOf(unstructured)).toMatch(/^The call was made: the tool declares structured content/);
      expect(shop.calls).toHaveLength(before + 1);
    } finally {
      await connection.close();
    }
  },
);

test('the result of a task has the structured content that was declared', async () => {
  const connection = await connectMcp(service.url, 'modern', {
    capabilities: { extensions: { [TASKS]: {} } },
  });
  try {
    const { taskId } = await callForTask(service.url, 'shop.slow', {});
    answerSlowly();
    const { result } = await taskIn(connection, taskId, 'completed');
    expect(result.structuredContent).toEqual({ items: [LONG] });
  } finally {
    await connection.close();
  }
});

test('a result without the structured content that was declared reaches its caller, marked', async () => {
  const { status, body } = await service.post('/api/tools/execute', { toolName: 'shop.order' });
  expect([status, body.data.result]).toEqual([
    200,
    {
      _problem: 'the tool declares structured content, and its answer has none',
      _content: [{ type: 'text', text: 'Ordered: number 7' }],
    },
  ]);
});
