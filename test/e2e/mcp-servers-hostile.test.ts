import { startRemoteMcp, structured, text, type RemoteMcp } from '../support/remote-mcp';
import { startSessionPeer } from '../support/session-peer';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

/** For this text the pattern backtracks for hours. */
const TEXT = `${'a'.repeat(60)}!`;
const SLOW = { type: 'object' as const, properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const tooSlow = (author: string): string => `A check by the schema of ${author} took longer than 5000 ms`;

let service: SharedService;
let remote: RemoteMcp;

beforeAll(async () => {
  [service, remote] = await Promise.all([
    useService(),
    startRemoteMcp({
      asks: { inputSchema: SLOW },
      answers: { outputSchema: SLOW, call: () => structured({ text: TEXT }) },
      half: { call: () => ({ ...text('half \ud83d'), isError: true }) },
      works: { outputSchema: SLOW, call: () => structured({ text: 'a' }) },
    }),
  ]);
  for (const name of ['asking', 'answering', 'other']) {
    const added = await service.post('/api/mcp-servers', { name, url: remote.url });
    expect(added.status).toBe(201);
  }
});
afterAll(async () => {
  await service.stop();
  await remote.close();
});

const execute = (toolName: string, args: object = {}) =>
  service.post('/api/tools/execute', { toolName, args });

test.each([
  ['arguments fails their call', 'asking', 'asks', { text: TEXT }, [500, tooSlow('the server "asking"')]],
  [
    'results is said with what came',
    'answering',
    'answers',
    {},
    [200, `the structured content could not be checked: ${tooSlow('the server "answering"')}`],
  ],
])(
  'a schema that takes hours to check %s, and holds up no other server',
  async (_, server, tool, args, outcome) => {
    const order: string[] = [];
    const slow = Promise.all([1, 2, 3].map(() => execute(`${server}.${tool}`, args))).finally(() =>
      order.push('slow'),
    );
    const other = await execute('other.works');
    order.push('other');
    const outcomes = (await slow).map(({ status, body }) => [
      status,
      body.error ?? body.data.result._problem,
    ]);
    expect([other.body.data.result, order]).toEqual([{ text: 'a' }, ['other', 'slow']]);
    expect(outcomes).toContainEqual(outcome);
    // Further checks of the server are refused, and so calls are not made.
    const before = remote.calls.length;
    const { status, body } = await execute(`${server}.works`);
    expect([status, body.error]).toEqual([
      500,
      expect.stringMatching(`^No schema of the server "${server}" is checked for \\d+ s`),
    ]);
    expect(remote.calls).toHaveLength(before);
  },
);

test('a registered tool whose schema takes hours fails its calls, and holds up no other tool', async () => {
  const register = (name: string, parameters: object) =>
    service.post('/api/tools/register', { name, parameters, execute: '(args) => args' });
  for (const name of ['hostile_schema', 'other_schema'])
    expect((await register(name, SLOW)).status).toBe(201);
  const order: string[] = [];
  const slow = execute('hostile_schema', { text: TEXT }).finally(() => order.push('slow'));
  const other = await execute('other_schema', { text: 'a' });
  expect((await register('other_schema', { ...SLOW, required: ['text'] })).status).toBe(201);
  order.push('other');
  const { status, body } = await slow;
  expect([status, body.error]).toEqual([500, tooSlow('the tool "hostile_schema"')]);
  expect([other.body.data.result, order]).toEqual([{ text: 'a' }, ['other', 'slow']]);
  const refused = await execute('hostile_schema', { text: 'a' });
  expect([refused.status, refused.body.error]).toEqual([500, expect.stringMatching(/is checked for \d+ s/)]);
});

test('a server that does not end its sessions is listed nevertheless', async () => {
  const peer = await startSessionPeer({ end: 'trickle' });
  try {
    const added = await service.post('/api/mcp-servers', { name: 'endless', url: peer.url });
    expect([added.status, added.body.data.protocol]).toEqual([201, '2025-11-25']);
    const refreshed = await service.post('/api/mcp-servers/endless/refresh');
    expect([refreshed.status, refreshed.body.data.away]).toEqual([200, undefined]);
  } finally {
    await peer.close();
  }
});

test('an error with half a surrogate pair fails its call, and the worker makes further calls', async () => {
  for (const _ of [1, 2]) {
    const { status, body } = await execute('other.half');
    expect([status, body.error]).toEqual([500, 'half \ufffd']);
  }
});
