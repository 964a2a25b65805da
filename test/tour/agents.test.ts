import { randomUUID } from 'node:crypto';
import {
  answerOf,
  ask,
  asked,
  classifiesAs,
  initializeAgent,
  plansInTurn,
  playsAgent,
  textsIn,
} from '../support/agent';
import { approvalsIn } from '../support/approvals';
import type { Answer } from '../support/http';
import { connectMcp, runOf, textOf } from '../support/mcp';
import { addEpisodic, countMemories, newUser } from '../support/memories';
import { says } from '../support/model-server';
import { calculates, type ModelService } from '../support/model-service';
import { connectTemporal } from '../support/temporal-client';
import { useModelService } from '../support/use-service';

let service: ModelService;
let id: string;
let userId: string;
beforeAll(async () => {
  service = await useModelService();
  await initializeAgent(service);
});
afterAll(() => service.stop());
beforeEach(() => {
  id = `clerk-${randomUUID().slice(0, 8)}`;
  userId = newUser();
  service.hosted.reset();
  service.hosted.otherwise(playsAgent({}));
});

const INSTRUCTIONS = 'You are the clerk of a small shop, and call everybody captain.';
const define = (fields: object = {}, name = id): Promise<Answer> =>
  service.send('PUT', `/api/agents/${name}`, {
    name: 'Clerk',
    description: 'Calculates prices',
    instructions: INSTRUCTIONS,
    ...fields,
  });
async function stored(fields: object = {}) {
  const { status, text, body } = await define(fields);
  if (status !== 200) throw new Error(text);
  return body.data;
}
const read = (path = '') => service.get(`/api/agents/${id}${path}`);
const turn = (query: string, options: object = {}, headers = {}): Promise<Answer> =>
  ask(service, query, { userId, agent: id, ...options }, headers);
const problemOf = async (answer: Promise<Answer>): Promise<[number, string]> => {
  const { status, text } = await answer;
  return [status, text];
};

test('an agent is stored in versions, shown, listed and deleted', async () => {
  const first = await stored({ tools: ['calculator'], memory: { write: false } });
  expect(first).toMatchObject({ id, version: 1, tools: ['calculator'], memory: { write: false } });
  expect((await stored({ memory: { write: false }, tools: ['calculator'] })).version).toBe(1);
  const written = await Promise.all([1, 2].map((maxIterations) => stored({ maxIterations })));
  expect(written.map(({ version }) => version).sort()).toEqual([2, 3]);
  expect((await read()).body.data).toMatchObject({
    version: 3,
    instructions: INSTRUCTIONS,
    versions: [{ version: 1 }, { version: 2 }, { version: 3 }],
  });
  expect((await read('?version=1')).body.data).toMatchObject({ version: 1, tools: ['calculator'] });
  const { body } = await service.get('/api/agents');
  const listed = (body.data.agents as { id: string }[]).find((agent) => agent.id === id);
  expect(listed).toMatchObject({ version: 3, name: 'Clerk' });
  expect(listed).not.toHaveProperty('instructions');
  expect((await service.send('DELETE', `/api/agents/${id}`)).body.data).toEqual({ id });
  for (const gone of [
    await read(),
    await read('?version=1'),
    await service.send('DELETE', `/api/agents/${id}`),
  ])
    expect([gone.status, gone.body.message]).toEqual([404, 'Agent not found']);
  const missing = await turn('Good day');
  expect([missing.status, missing.body.code]).toEqual([404, 'AGENT_NOT_FOUND']);
  expect((await stored()).version).toBe(4);
});

test.each([
  ['tools[1]', { tools: ['calculator', 'calculater'] }, 'the nearest is calculator'],
  ['approval.tools[0]', { approval: { tools: ['none'] } }, 'no tool named'],
  ['responseSchema', { responseSchema: { type: 'nothing' } }, 'cannot be used'],
  ['maxIterations', { maxIterations: 100_000 }, 'PLANNER_MAX_ITERATIONS'],
  ['agents', { agents: ['UPPER'] }, ''],
  ['instructions', { instructions: 'x'.repeat(20_001) }, 'at most 20000'],
  ['instruction', { instruction: 'misspelt' }, ''],
])('a definition is refused for its %s', async (_field, fields, message) => {
  const answer = await define(fields);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
  expect((await read()).status).toBe(404);
});

test('an agent may name others that are not there yet, and not itself', async () => {
  expect((await stored({ agents: [`${id}-other`] })).agents).toEqual([`${id}-other`]);
  expect(await problemOf(define({ agents: [id] }))).toEqual([400, expect.stringContaining('itself')]);
  expect((await define({}, 'Not-An-Id')).status).toBe(400);
});

test('a turn has the instructions, the model and the tools of its agent, and says so', async () => {
  await stored({ tools: ['calculator'], model: 'gpt-9', temperature: 0.25 });
  service.hosted.otherwise(
    playsAgent({
      classify: classifiesAs('tool_execution'),
      plan: plansInTurn([calculates('add', 2, 3)], 'Five, captain.'),
    }),
  );
  const answer = await turn('Add two and three', { instructions: 'Speak quietly.' });
  const { response, metadata } = await answerOf(Promise.resolve(answer));
  expect(response).toBe('Five, captain.');
  expect(metadata).toMatchObject({ agent: { id, version: 1 }, modelUsed: 'gpt-9', remembered: true });
  const [plan] = asked(service.hosted.requests, 'plan');
  expect(plan?.body.tools?.map((tool) => (tool as { function: { name: string } }).function.name)).toEqual([
    'calculator',
  ]);
  expect(plan?.body.temperature).toBe(0.25);
  const texts = textsIn(plan!).join('\n');
  expect(texts.indexOf('Speak quietly.')).toBeGreaterThan(texts.indexOf(INSTRUCTIONS));
  const { body } = await service.get(`/api/runs/${answer.headers.get('x-trace-id')}`);
  expect(body.data.input).toMatchObject({ agent: { id, version: 1 }, tools: ['calculator'] });
  const temporal = await connectTemporal();
  const run = await temporal.client.workflow.getHandle(answer.headers.get('x-workflow-id') ?? '').describe();
  expect(await run.staticSummary()).toBe(`${id}: Add two and three`);
  await temporal.close();
});

test('a turn keeps the version that it began with, and a repeat of the request joins it', async () => {
  await stored();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await turn('Good day', {}, headers);
  await stored({ instructions: 'You are somebody else.' });
  const again = await turn('Good day', {}, headers);
  expect(again.body.data).toEqual(first.body.data);
  expect(again.body.data.metadata.agent).toEqual({ id, version: 1 });
  expect((await answerOf(turn('Good day again'))).metadata.agent).toEqual({ id, version: 2 });
  // A rerun repeats what the first run was, whatever the agent is now.
  await service.send('DELETE', `/api/agents/${id}`);
  service.hosted.reset();
  service.hosted.otherwise(playsAgent({}));
  const rerun = await service.post(`/api/runs/${first.headers.get('x-trace-id')}/rerun`, {});
  const record = await service.get(`/api/runs/${rerun.headers.get('x-trace-id')}/wait?timeout=30`);
  expect(record.body.data.result.metadata.agent).toEqual({ id, version: 1 });
  expect(textsIn(asked(service.hosted.requests, 'answer')[0]!).join()).toContain(INSTRUCTIONS);
});

test('memory is read and written only if both the agent and the request say so', async () => {
  await addEpisodic(service, { userId, content: 'I keep two goats, Anton and Bella' });
  await stored({ memory: { read: false, write: false } });
  const query = 'What are the names of my goats?';
  const { metadata, memoryContext } = await answerOf(turn(query, { includeMemoryContext: true }));
  expect(metadata).toMatchObject({ remembered: false, memoryRetrieved: 0, degraded: [] });
  expect(memoryContext).toBeUndefined();
  expect(await countMemories(service, userId)).toMatchObject({ episodic: 1 });
  await stored({ memory: { crossSession: false } });
  const own = await answerOf(turn(query, { crossSessionMemory: true, sessionId: 'another' }));
  expect(own.metadata).toMatchObject({ remembered: true });
  expect(own.memoryContext.episodicMemories).toEqual([]);
});

test.each([
  ['another model', { model: 'gpt-9' }, { model: 'local' }, 'another model'],
  ['another temperature', { temperature: 0.1 }, { temperature: 0.9 }, 'another temperature'],
  ['a further tool', { tools: ['calculator'] }, { tools: ['calculator', 'api_call'] }, 'may not call'],
  [
    'another schema',
    { responseSchema: { type: 'object' } },
    { responseSchema: { type: 'string' } },
    'another responseSchema',
  ],
])('a request for %s is refused', async (_case, fields, options, message) => {
  await stored(fields);
  expect(await problemOf(turn('Good day', options))).toEqual([400, expect.stringContaining(message)]);
});

test('the smaller budget and the stricter approval of the two hold', async () => {
  await stored({ budget: { maxToolCalls: 1, onExceeded: 'fail' }, approval: { tools: ['calculator'] } });
  const plan = plansInTurn([calculates('add', 2, 3)], 'Five.');
  service.hosted.otherwise(playsAgent({ classify: classifiesAs('tool_execution'), plan }));
  const spent = await turn('Add two and three', {
    approval: { tools: ['api_call'], deadlineMs: 60_000, onDeadline: 'approve' },
    budget: { maxToolCalls: 0, onExceeded: 'pause' },
  });
  expect([spent.status, spent.body.code]).toEqual([500, 'BUDGET_EXHAUSTED']);
  const [approval] = approvalsIn(await turn('Add two and three', { sessionId: 'another' }));
  expect(approval).toMatchObject({ toolName: 'calculator', onDeadline: 'deny' });
  await service.post(`/api/approvals/${approval!.id}`, { decision: 'deny' });
});

test('MCP clients call it by its own tool', async () => {
  await stored({ tools: [] });
  service.hosted.otherwise(playsAgent({ answer: says('Aye, captain.') }));
  const { client, close } = await connectMcp(service.url, 'modern');
  const name = `agent_${id}`;
  const { tools } = await client.listTools();
  expect(tools.find((tool) => tool.name === name)).toMatchObject({
    title: 'Clerk',
    description: 'Calculates prices',
    inputSchema: { required: ['query'] },
  });
  const answer = await client.callTool({ name, arguments: { query: 'Good day', userId } });
  expect(textOf(answer)).toContain('Aye, captain.');
  const { body } = await service.get(`/api/runs/${runOf(answer).traceId}`);
  expect(body.data.input).toMatchObject({ agent: { id, version: 1 }, userId });
  await service.send('DELETE', `/api/agents/${id}`);
  await expect(client.callTool({ name, arguments: { query: 'Good day', userId } })).rejects.toMatchObject({
    code: -32602,
  });
  await close();
});
