import type { ErrorCode } from '../../src/base/error-codes';
import { ERROR_TABLE } from '../../api/http/error-table';
import { ask, initializeAgent } from '../support/agent';
import { calculator } from '../support/calls';
import { type Answer, request } from '../support/http';
import { classifyBatch, initializeIntents } from '../support/intents';
import { addEpisodic, addSemantic, clearMemories, LEXICAL, newUser } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { type Service, startService } from '../support/service';
import { customBody, sumStep } from '../support/workflow-steps';

let service: Service;
let userId: string;

beforeAll(async () => {
  // Long inputs and results are stored outside of the history.
  service = await startService({ ...LEXICAL, PAYLOAD_THRESHOLD_BYTES: '1024' });
  await initializeAgent(service);
  await initializeMemoryChat(service);
  await initializeIntents(service);
});
afterAll(() => service.stop());
beforeEach(() => {
  userId = newUser();
});

const ADD = calculator('add', 20, 22);
const DIVIDE = calculator('divide', 1, 0);

/** The address of the run that an answer names, and of what `end` adds to it. */
function addressOf({ headers }: Answer, end = ''): string {
  const workflowId = encodeURIComponent(headers.get('x-workflow-id') ?? '');
  return `/api/runs/${headers.get('x-trace-id')}${end}?workflowId=${workflowId}`;
}

async function recordOf(answer: Answer) {
  const { status, body } = await service.get(addressOf(answer));
  expect(status).toBe(200);
  return body.data;
}

/** Expects the record of the run to have as its result what the synchronous answer has as its data. */
async function expectSame(answer: Answer): Promise<void> {
  expect(answer.status).toBe(200);
  const { status, result } = await recordOf(answer);
  expect([status, result]).toEqual(['completed', answer.body.data]);
  const { text } = await request(`${service.url}${addressOf(answer, '/events')}`);
  const [last = ''] = text.trim().split('\n').slice(-1);
  expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
    type: 'run.completed',
    result: answer.body.data as object,
  });
}

describe('the result of a run, and of its last event, is the data of the answer that waits for it', () => {
  test.each([
    ['one tool', '/api/tools/execute', ADD],
    ['tools at once', '/api/tools/execute-multiple', { tools: [ADD, DIVIDE] }],
    ['tools in order', '/api/tools/execute-sequential', { tools: [ADD, ADD] }],
    [
      'a tool from a sentence',
      '/api/tools/execute-with-llm',
      { query: 'add 2 and 3', toolName: 'calculator' },
    ],
    ['tools that a planner chooses', '/api/tools/mcp', { query: 'add 2 and 3' }],
    ['a goal', '/api/workflow/execute', { query: 'add 2 and 3' }],
    ['a custom workflow', '/api/workflow/execute-custom', customBody([sumStep('a', 1, 2)])],
    ['a reindexing', '/api/memory/reindex', {}],
    ['a reindexing of all', '/api/memory/reindex', { again: true }],
    ['a self-test', '/api/agent/test', undefined],
  ])('%s', async (_, path, body) => {
    await expectSame(await service.post(path, body));
  });

  test.each([
    {},
    { responseDetailLevel: 'minimal' },
    { responseDetailLevel: 'standard' },
    { responseDetailLevel: 'standard', excludeVectors: false },
    { responseDetailLevel: 'full' },
    { responseDetailLevel: 'full', excludeVectors: true },
    { responseDetailLevel: 'full', includeMemoryContext: false },
  ])('a turn of the agent with %j', async (options) => {
    await addSemantic(service, { userId, concept: 'park', description: 'tell of the park' });
    await addEpisodic(service, { userId, content: 'a walk in the park' });
    await expectSame(await ask(service, 'tell me of the park', { userId, ...options }));
  });

  test('a turn of the agent whose input is stored outside of the history', async () => {
    const query = `What is 6 times 7? ${'And how are you? '.repeat(200)}`;
    const answer = await ask(service, query, { userId, responseDetailLevel: 'minimal' });
    await expectSame(answer);
    expect(Object.keys(answer.body.data)).not.toContain('metadata');
  });

  test.each([true, false])('a turn of memory chat, with memories %s', async (includeMemories) => {
    await addSemantic(service, { userId, concept: 'park', description: 'a place to walk in' });
    await expectSame(await chat(service, { userId, message: 'What is a park?', includeMemories }));
  });

  test('a batch of intents', async () => {
    await expectSame(await classifyBatch(service, [{ id: '1', query: 'add 2 and 3' }, { id: '2' }]));
  });

  test('an erasure', async () => {
    await addEpisodic(service, { userId, content: 'a walk in the park' });
    const answer = await clearMemories(service, userId);
    expect(answer.body.data).toMatchObject({ cleared: true, erased: { episodic: 1 } });
    await expectSame(answer);
  });
});

test('every answer that has a record has the same result', async () => {
  const answer = await ask(service, 'hello', { userId, responseDetailLevel: 'minimal' });
  const { data } = answer.body;
  const latest = addressOf(answer).replace(/\/[^/]*\?/, '?');
  for (const path of [addressOf(answer, '/wait'), latest]) {
    expect((await service.get(path)).body.data.result).toEqual(data);
  }
  for (const end of ['/cancel', '/terminate']) {
    const { body } = await service.post(addressOf(answer, end), { reason: 'it has ended' });
    expect(body.data.result).toEqual(data);
  }
});

test('an import, whose answer does not wait for its run, has the numbers of its rows', async () => {
  const answer = await request(`${service.recordsUrl}/api/imports`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{"collection":"nowhere"}\n',
  });
  expect(answer.status).toBe(201);
  const { body } = await service.get(addressOf(answer, '/wait'));
  expect(body.data).toMatchObject({ status: 'completed', result: { rows: 1, created: 0 } });
});

test.each([
  ['/api/tools/execute', DIVIDE],
  ['/api/tools/execute-sequential', { tools: [DIVIDE] }],
  ['/api/tools/mcp', { query: 'sing a song about the sea' }],
  ['/api/workflow/execute-custom', customBody([{ id: 'a', type: 'tool_execution', config: DIVIDE }])],
])('the error of a failed run of %s is that of the answer', async (path, body) => {
  const answer = await service.post(path, body);
  const { error, result } = await recordOf(answer);
  expect(result).toBeUndefined();
  const { status, title } = ERROR_TABLE[error.code as ErrorCode];
  expect([answer.status, answer.body.message]).toEqual([status, title]);
  expect([answer.body.error, answer.body.details]).toEqual([error.message, error.details]);
});
