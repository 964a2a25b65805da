import { join } from 'node:path';
import { startSessionPeer, type SessionPeer, type SessionPeerOptions } from '../support/session-peer';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

const SCRIPT = join(__dirname, '..', 'support', 'stdio-mcp.mjs');
const FIND = { name: 'find', inputSchema: { type: 'object' } };
const DEEP = { name: 'deep', inputSchema: nestedSchema(1_000) };
const SKIPPED = [{ tool: 'deep', reason: 'its definition is nested deeper than 256 levels' }];

let service: Service;
const peers: SessionPeer[] = [];
beforeAll(async () => {
  service = await startService({ EGRESS_ALLOW_PRIVATE: 'true', MCP_STDIO: 'yes' });
});
afterAll(async () => {
  await service.stop();
  for (const peer of peers) await peer.close();
});

function nestedSchema(levels: number): object {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

async function addPeer(name: string, options: SessionPeerOptions) {
  const peer = await startSessionPeer(options);
  peers.push(peer);
  return service.post('/api/mcp-servers', { name, url: peer.url });
}

/** A process that dies of a rejected promise does so some moments after the answer. */
async function expectAlive(): Promise<void> {
  await new Promise(setImmediate);
  expect((await service.get('/livez')).status).toBe(200);
  expect(service.process.running).toBe(true);
}

test.each([
  ['a JSON body', false],
  ['an event stream', true],
])('a tool that is nested too deeply is skipped, and the others are used: %s', async (_, streams) => {
  const name = streams ? 'streaming' : 'answering';
  const added = await addPeer(name, { tools: [FIND, DEEP], streams });
  expect([added.status, added.body.data?.skipped]).toEqual([201, SKIPPED]);
  expect(added.body.data.tools).toMatchObject([{ name: `${name}.find` }]);
  await expectAlive();
});

test('so is one that a server adds later', async () => {
  const tools: unknown[] = [FIND];
  await addPeer('later', { tools });
  tools.push(DEEP);
  const refreshed = await service.post('/api/mcp-servers/later/refresh');
  expect([refreshed.status, refreshed.body.data?.skipped]).toEqual([200, SKIPPED]);
  await expectAlive();
});

test.each(['modern-nested', 'legacy-nested'])('so is one of a command: %s', async (behaviour) => {
  const server = { name: behaviour, command: process.execPath, args: [SCRIPT, behaviour, 'nested-list'] };
  // On a busy machine two starts of a command may take longer than a listing may.
  const added = await waitFor(
    async () => {
      const answer = await service.post('/api/mcp-servers', server);
      return String(answer.body.error).includes('did not answer within') ? undefined : answer;
    },
    { what: 'the command to be listed' },
  );
  expect([added.status, added.body.data?.skipped]).toEqual([201, SKIPPED]);
  await expectAlive();
});

test('other answers that are nested too deeply fail what asked for them', async () => {
  const capabilities = { tools: {}, experimental: { x: nestedSchema(1_000) } };
  const refused = await addPeer('greeting', { tools: [FIND], initialization: { capabilities } });
  expect([refused.status, refused.body.error]).toEqual([
    502,
    'The tools of "greeting" cannot be listed: its answer is nested deeper than 256 levels',
  ]);
  await addPeer('resulting', {
    tools: [FIND],
    called: { content: [], structuredContent: { a: nestedSchema(1_000) } },
  });
  const { status, body } = await service.post('/api/tools/execute', { toolName: 'resulting.find', args: {} });
  expect([status, body.error]).toEqual([
    500,
    'The tool "resulting.find" of the server "resulting" failed: its answer is nested deeper than 256 levels',
  ]);
  await expectAlive();
});

test('no promise was rejected without being taken', async () => {
  await waitFor(async () => (await service.get('/readyz')).status === 200, { what: 'the service' });
  expect(service.process.output()).toBe('');
});
