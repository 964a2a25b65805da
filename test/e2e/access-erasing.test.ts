import { calculator } from '../support/calls';
import { send } from '../support/http';
import { bearer, type Key, runKeys, SCOPES } from '../support/keys';
import { connectMcp } from '../support/mcp';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';
import { customBody, sumStep } from '../support/workflow-steps';

let stage: Stage;
let api: Api;
let admin: Record<string, string>;
let ann: Record<string, string>;

async function createKey(...args: string[]): Promise<Record<string, string>> {
  const name = ['create', '--name', 'a', '--scopes', SCOPES.join(',')];
  return bearer((await runKeys<Key>(stage.dataDir, ...name, ...args)).key);
}

/** Without a worker the erasure of Ann stays under way. */
beforeAll(async () => {
  stage = await openStage();
  api = await stage.api({ AUTH: 'keys', WAIT_LIMIT_MS: '1000' });
  [admin, ann] = await Promise.all([createKey(), createKey('--user', 'ann')]);
  for (const area of ['agent', 'memory-chat', 'intent-classifier'])
    expect((await api.post(`/api/${area}/initialize`, {}, admin)).status).toBe(200);
  const event = { userId: 'ann', sessionId: 's', content: 'Ann keeps bees' };
  expect((await api.post('/api/memory/episodic', event, admin)).status).toBe(201);
  const erased = await send('DELETE', `${api.url}/api/memory/clear/ann`, undefined, admin);
  expect(erased.status).toBe(503);
});
afterAll(() => stage.close());

const addition = calculator('add', 1, 2);
const options = { userId: 'ann', sessionId: 's' };

test.each([
  ['tools/execute', addition],
  ['tools/execute-multiple', { tools: [addition] }],
  ['tools/execute-sequential', { tools: [addition] }],
  ['tools/execute-with-llm', { query: 'add 1 and 2', toolName: 'calculator' }],
  ['tools/mcp', { query: 'add 1 and 2' }],
  ['workflow/execute', { query: 'add 1 and 2' }],
  ['workflow/execute-custom', customBody([sumStep('a', 1, 2)])],
  ['intent-classifier/classify-batch', { queries: [{ id: '1', query: 'hello' }] }],
  ['agent/execute', { query: 'hello', options }],
  ['agent/test', {}],
  ['memory-chat/chat', { message: 'hello', ...options }],
  ['memory/consolidate/ann', {}],
  ['memory/consolidations/ann/none/undo', {}],
])('%s is refused to a user who is being erased', async (path, body) => {
  const { status, text } = await api.post(`/api/${path}`, body, ann);
  expect([status, text]).toEqual([409, expect.stringContaining('being erased')]);
});

test.each([
  ['calculator', addition.args],
  ['ask_agent', { query: 'hello' }],
  ['workflow_sums', {}],
])('the tool %s of MCP clients is refused, too', async (name, args) => {
  const sums = { id: 'sums', name: 'Sums', description: 'Adds', steps: [sumStep('a', 1, 2)] };
  expect((await api.post('/api/workflow/workflows', sums, admin)).status).toBe(201);
  const { client, close } = await connectMcp(api.url, 'modern', { headers: ann });
  const result = await client.callTool({ name, arguments: args });
  expect(result).toMatchObject({ isError: true, _meta: { 'holdfast/code': 'MEMORY_ERASING' } });
  await close();
});

test('callers of no user start runs meanwhile, and the erasure ends', async () => {
  const started = await api.post('/api/tools/execute', addition, admin);
  // It is started, and waits for a worker.
  expect(started.status).toBe(503);
  await stage.worker();
  await waitFor(async () => (await api.post('/api/tools/execute', addition, ann)).status === 401, {
    what: 'the erasure to revoke the key',
  });
  const stats = () => send('GET', `${api.url}/api/memory/stats/ann`, undefined, admin);
  await waitFor(async () => (await stats()).body.data.episodic?.count === 0, {
    what: 'the erasure to end',
    timeoutMs: 15_000,
  });
});
