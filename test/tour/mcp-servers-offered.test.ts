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
      const find = tools.find(({ name }) => name === 'shop.find');
      // The service checks no header of a call, so it does not ask for one.
      expect(find).toMatchObject({ outputSchema: OUTPUT, annotations: { readOnlyHint: true } });
      expect(find?.inputSchema).toEqual(inputOf({ type: 'string' }));
      expect(tools.find(({ name }) => name === 'shop.plain')?.inputSchema).toEqual({ type: 'object' });

      const found = await client.callTool({ name: 'shop.find', arguments: { region: 'eu', query: 'tea' } });
      expect(found.structuredContent).toEqual({ items: ['tea'] });
      expect(shop.headers()['mcp-param-region']).toBe('eu');
      // The client refuses results without the structured content that was declared.
      const long = await client.callTool({ name: 'shop.find', arguments: { region: 'eu' } });
      expect(long.structuredContent).toEqual({ items: [LONG] });
      expect(textOf(long)).toMatch(/^The result has \d+ bytes/);
      const content = await client.callTool({ name: 'shop.content', arguments: {} });
      expect(content.structuredContent).toEqual({ content: [] });
      const plain = await client.callTool({ name: 'shop.plain', arguments: {} });
      expect(plain.structuredContent).toBeUndefined();
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
