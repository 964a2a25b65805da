import { startRemoteMcp, structured, type RemoteMcp } from '../support/remote-mcp';
import type { Service } from '../support/service';
import { startService } from '../support/service';

/** For this text the pattern backtracks for hours. */
const TEXT = `${'a'.repeat(60)}!`;
const SLOW = { type: 'object' as const, properties: { text: { type: 'string', pattern: '^(a+)+$' } } };

let service: Service;
let hostile: RemoteMcp;

beforeAll(async () => {
  [service, hostile] = await Promise.all([
    startService({ EGRESS_ALLOW_PRIVATE: 'true' }),
    startRemoteMcp({
      asks: { inputSchema: SLOW },
      answers: { outputSchema: SLOW, call: () => structured({ text: TEXT }) },
    }),
  ]);
  const added = await service.post('/api/mcp-servers', { name: 'hostile', url: hostile.url });
  expect(added.status).toBe(201);
});
afterAll(async () => {
  await service.stop();
  await hostile.close();
});

test.each([
  ['arguments', 'hostile.asks', { text: TEXT }],
  ['results', 'hostile.answers', {}],
])(
  'a schema that takes hours to check %s fails its call, and holds up no other',
  async (_, toolName, args) => {
    const order: string[] = [];
    const slow = service.post('/api/tools/execute', { toolName, args }).finally(() => order.push('slow'));
    const other = await service.post('/api/tools/execute', {
      toolName: 'calculator',
      args: { operation: 'add', a: 1, b: 2 },
    });
    order.push('other');
    const { status, body } = await slow;
    expect([other.status, order]).toEqual([200, ['other', 'slow']]);
    expect([status, body.error]).toEqual([500, 'A check by the schema of the tool took longer than 5000 ms']);
  },
);
