import { connectMcp, runOf, textOf, type McpConnection } from '../support/mcp';
import { bearer, type Key, runKeys } from '../support/keys';
import { type Api, openStage, type Stage } from '../support/stage';

let stage: Stage;
let api: Api;
const connections: Record<string, McpConnection> = {};

/** Connects a client with a new key. */
async function connect(name: string, scopes: string, ...more: string[]): Promise<Record<string, string>> {
  const args = ['create', '--name', name, '--scopes', scopes, ...more];
  const headers = bearer((await runKeys<Key>(stage.dataDir, ...args)).key);
  connections[name] = await connectMcp(api.url, 'modern', { headers });
  return headers;
}

const client = (name: string) => connections[name]!.client;
const names = async (name: string) => (await client(name).listTools()).tools.map((tool) => tool.name);

beforeAll(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api({ AUTH: 'keys' }), stage.worker()]);
  const all = await connect('all', 'read,run,memory,tools');
  await connect('ann', 'read,run,memory', '--user', 'ann');
  await connect('bob', 'read,run,memory', '--user', 'bob');
  await connect('reader', 'read');
  await connect('other', 'read,run,memory', '--tenant', 'acme');
  const put = await api.post('/api/tools/register', { name: 'of_default', execute: '() => 1' }, all);
  expect(put.status).toBe(201);
  const event = { userId: 'ann', sessionId: 's', content: 'Ann keeps bees' };
  expect((await api.post('/api/memory/episodic', event, all)).status).toBe(201);
});
afterAll(async () => {
  await Promise.all(Object.values(connections).map(({ close }) => close()));
  await stage.close();
});

test('workflows, the agent and the search over memories are tools too, and each tenant has its own', async () => {
  const own = await names('all');
  expect(own).toEqual(expect.arrayContaining(['ask_agent', 'search_memories', 'calculator', 'of_default']));
  expect(own.some((name) => name.startsWith('workflow_'))).toBe(true);
  const others = await names('other');
  expect(others).toContain('calculator');
  expect(others).not.toContain('of_default');
});

test('the agent answers the user of the key, and no other one', async () => {
  const answer = await client('ann').callTool({
    name: 'ask_agent',
    arguments: { query: 'What is 6 times 7?' },
  });
  expect(textOf(answer)).toContain('42');
  const { traceId } = runOf(answer);
  const uri = `holdfast://runs/${traceId}`;
  const { contents } = await client('ann').readResource({ uri });
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ type: 'agentTurn' });
  await expect(client('bob').readResource({ uri })).rejects.toMatchObject({ data: { uri } });
  const asBob = { query: 'hello', userId: 'bob' };
  await expect(client('ann').callTool({ name: 'ask_agent', arguments: asBob })).rejects.toMatchObject({
    code: -32602,
  });
  const unnamed = await client('all').callTool({ name: 'ask_agent', arguments: { query: 'hello' } });
  expect([unnamed.isError, textOf(unnamed)]).toEqual([true, expect.stringContaining('userId')]);
  const misspelt = await client('ann').callTool({
    name: 'ask_agent',
    arguments: { query: 'hello', sessionid: 's' },
  });
  expect([misspelt.isError, textOf(misspelt)]).toEqual([
    true,
    'ask_agent has no argument "sessionid"; the nearest is sessionId',
  ]);
});

test('a message to the agent that is sent again under its key is answered once', async () => {
  const params = {
    name: 'ask_agent',
    arguments: { query: 'What is 6 times 7?' },
    _meta: { 'holdfast/idempotencyKey': 'asked-once' },
  };
  const first = await client('ann').callTool(params);
  const again = await client('ann').callTool(params);
  expect([runOf(again), textOf(again)]).toEqual([runOf(first), textOf(first)]);
});

test('memories are found by the user that they belong to', async () => {
  const search = (name: string, args: object) =>
    client(name).callTool({ name: 'search_memories', arguments: { query: 'bees', ...args } });
  expect(JSON.stringify(await search('ann', {}))).toContain('Ann keeps bees');
  expect(JSON.stringify(await search('bob', {}))).not.toContain('Ann keeps bees');
  await expect(search('bob', { userId: 'ann' })).rejects.toMatchObject({ code: -32602 });
  const uri = 'holdfast://users/ann/memories';
  const { contents } = await client('ann').readResource({ uri });
  expect((contents[0] as { text: string }).text).toContain('Ann keeps bees');
  await expect(client('bob').readResource({ uri })).rejects.toMatchObject({ code: -32602 });
});

test('a prompt names the inputs of a workflow', async () => {
  const { prompts } = await client('all').listPrompts();
  const prompt = prompts.find(({ arguments: inputs = [] }) => inputs.length > 0)!;
  const inputs = Object.fromEntries(prompt.arguments!.map(({ name }) => [name, 'x']));
  const { messages } = await client('all').getPrompt({ name: prompt.name, arguments: inputs });
  expect(JSON.stringify(messages)).toContain(`workflow_${prompt.name}`);
  await expect(client('all').getPrompt({ name: 'absent' })).rejects.toMatchObject({ code: -32602 });
});

test('a key that may only read lists, and calls nothing', async () => {
  expect(await names('reader')).toContain('calculator');
  for (const name of ['calculator', 'search_memories'])
    await expect(client('reader').callTool({ name, arguments: {} })).rejects.toThrow(/403|scope/i);
});
