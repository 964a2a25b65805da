import { randomUUID } from 'node:crypto';
import type { Approval } from '../../src/contracts/http/approvals';
import { ask, classifiesAs, initializeAgent, plansInTurn, playsAgent } from '../support/agent';
import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import { type Answer, request } from '../support/http';
import { newUser } from '../support/memories';
import { callsTools, hangs, refusesKey, says } from '../support/model-server';
import { calculates, type ModelService, outcomesIn, startModelService } from '../support/model-service';

// Each answer of the scripted model reports 10 prompt tokens and 5 of its own.
const CALL = { promptTokens: 10, completionTokens: 5 };

let service: ModelService;

beforeAll(async () => {
  service = await startModelService({
    OPENAI_MODEL: 'gpt-4o-mini',
    BUDGET_MAX_TOOL_CALLS: '2',
    BUDGET_ON_EXCEEDED: 'finish',
  });
  await initializeAgent(service);
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

const adds = (a: number, b: number) => callsTools([calculates('add', a, b)]);

/** Starts a planned run under a key of its own, as often as it is called. */
function runOf(budget: object, more: object = {}): () => Promise<Answer> {
  const key = randomUUID();
  const body = { query: 'add up', options: { budget, ...more } };
  return () => service.post('/api/tools/mcp', body, { 'idempotency-key': key });
}

function pendingIn(answer: Answer): Approval {
  const [approval] = approvalsIn(answer);
  if (approval === undefined) throw new Error(answer.text);
  return approval;
}

async function answer(approval: Approval, body: object): Promise<Answer> {
  const answered = await answerApproval(service, approval, body);
  if (answered.status !== 200) throw new Error(answered.text);
  return answered;
}

test('a run says what it used and what that cost', async () => {
  service.hosted.script(adds(1, 2), says('Three.'));
  const { body, headers } = await runOf({ maxCostUsd: 1 })();
  expect(body.data.usage).toEqual({
    promptTokens: 20,
    completionTokens: 10,
    // 20 prompt tokens at 0.15 and 10 others at 0.60 dollars a million.
    costUsd: 0.000009,
    modelCalls: 2,
    toolCalls: 1,
  });
  expect(body.data.llmUsage).toEqual({ promptTokens: 20, completionTokens: 10, totalTokens: 30 });
  const traceId = headers.get('x-trace-id');
  const record = await service.get(`/api/runs/${traceId}`);
  expect(record.body.data.usage).toEqual({ ...body.data.usage, totalTokens: 30 });
  const url = `${service.url}/api/runs/${traceId}/events`;
  const log = await request(url, { headers: { accept: 'application/json' } });
  const costs = log.body.data.events.flatMap(({ costUsd }: { costUsd?: number }) => costUsd ?? []);
  expect(costs).toEqual([0.0000045, 0.0000045]);
});

test.each([
  ['maxModelCalls', { maxModelCalls: 1 }, { ...CALL, modelCalls: 1, toolCalls: 1 }],
  ['maxToolCalls', { maxToolCalls: 0 }, { ...CALL, modelCalls: 1, toolCalls: 0 }],
  ['maxTokens', { maxTokens: 5 }, { modelCalls: 0, toolCalls: 0 }],
  ['maxCostUsd', { maxCostUsd: 0.000001 }, { modelCalls: 0, toolCalls: 0 }],
])('a run that has used up its %s fails and says so', async (limit, budget, usage) => {
  service.hosted.script(adds(1, 2), adds(3, 4), says('Done.'));
  const { status, body, headers } = await runOf({ ...budget, onExceeded: 'fail' })();
  expect([status, body.message]).toEqual([500, 'Budget exhausted']);
  expect(body.details).toMatchObject({ reason: 'budget_exhausted', limit, usage });
  const url = `${service.url}/api/runs/${headers.get('x-trace-id')}/events`;
  const { body: log } = await request(url, { headers: { accept: 'application/json' } });
  expect(log.data.events.at(-1)).toMatchObject({
    type: 'run.failed',
    reason: 'budget_exhausted',
    error: { code: 'BUDGET_EXHAUSTED' },
  });
});

test('a model is asked for no more tokens than the budget has left', async () => {
  service.hosted.script(adds(1, 2), says('Three.'));
  const { status } = await runOf({ maxTokens: 900 })();
  expect(status).toBe(200);
  const limits = service.hosted.requests.map(({ body }) => body.max_completion_tokens ?? 0);
  expect(limits).toEqual([expect.any(Number), expect.any(Number)]);
  for (const limit of limits) expect(limit).toBeLessThan(1_024);
  expect(limits[1]).toBeLessThan(limits[0] ?? 0);
});

test('a run that has to finish answers from what is there, without tools', async () => {
  service.hosted.script(callsTools([calculates('add', 1, 2), calculates('add', 3, 4)]), says('Only three.'));
  const { status, body } = await runOf({ maxToolCalls: 1, onExceeded: 'finish' })();
  expect([status, body.data]).toMatchObject([
    200,
    {
      success: false,
      finalResult: 3,
      answer: 'Only three.',
      exceeded: 'maxToolCalls',
      errors: [{ code: 'BUDGET_EXHAUSTED' }],
      usage: { promptTokens: 20, modelCalls: 2, toolCalls: 1 },
    },
  ]);
  const last = service.hosted.requests.at(-1);
  expect(last?.body.tools).toBeUndefined();
  expect(outcomesIn(last)).toEqual(['3', expect.stringMatching(/budget/)]);
});

describe('a run that pauses at a limit', () => {
  test('goes on with what a person gives it, as often as it needs more', async () => {
    service.hosted.script(adds(1, 2), adds(3, 4), says('Seven.'));
    const start = runOf({ maxModelCalls: 1, onExceeded: 'pause' });
    const first = pendingIn(await start());
    expect(first).toMatchObject({
      kind: 'budget',
      step: 'budget-1',
      message: expect.stringMatching(/maxModelCalls 1, used 1/),
      args: { limit: 'maxModelCalls', used: 1, limits: { maxModelCalls: 1 }, usage: { toolCalls: 1 } },
    });
    const unraised = [{}, { budget: { maxTokens: 10 } }, { budget: { maxModelCalls: 1 } }];
    for (const body of unraised) {
      const refused = await answerApproval(service, first, { decision: 'approve', ...body });
      expect([refused.status, refused.body.details.field]).toEqual([400, 'budget.maxModelCalls']);
    }
    const above = { maxModelCalls: 9, maxToolCalls: 3 };
    const refused = await answerApproval(service, first, { decision: 'approve', budget: above });
    expect([refused.status, refused.body.details.field]).toEqual([400, 'budget.maxToolCalls']);
    const raised = await answer(first, { decision: 'approve', budget: { maxModelCalls: 9 }, by: 'ada' });
    expect(raised.body.data).toMatchObject({ status: 'approved', budget: { maxModelCalls: 9 }, by: 'ada' });
    const { status, body } = await untilEnded(start);
    expect([status, body.data.finalResult, body.data.usage.modelCalls]).toEqual([200, 7, 3]);
  });

  test('fails where more is denied', async () => {
    service.hosted.script(adds(1, 2));
    const start = runOf({ maxModelCalls: 1, onExceeded: 'pause' });
    await answer(pendingIn(await start()), { decision: 'deny', comment: 'that is enough' });
    const { status, body, text } = await untilEnded(start);
    expect([status, body.message]).toEqual([500, 'Budget exhausted']);
    expect(text).toMatch(/denied: that is enough/);
  });

  test('is not late because it waited', async () => {
    service.hosted.script(adds(1, 2), says('Three.'));
    const start = runOf({ maxModelCalls: 1, maxDurationMs: 250_000, onExceeded: 'pause' });
    const approval = pendingIn(await start());
    await answer(approval, { decision: 'approve', budget: { maxModelCalls: 2 } });
    expect((await untilEnded(start)).status).toBe(200);
  });
});

test.each([
  ['model', hangs()],
  ['tool', callsTools([{ name: 'wait', args: {} }])],
])('a %s has no more time than the run', async (_, behaviour) => {
  service.hosted.script(adds(1, 2), behaviour);
  await service.post('/api/tools/register', {
    name: 'wait',
    parameters: {},
    execute: '() => { for (;;); }',
  });
  const { status, body } = await runOf({ maxDurationMs: 2_000, onExceeded: 'fail' })();
  expect([status, body.details]).toMatchObject([500, { limit: 'maxDurationMs' }]);
});

test('a run does not ask for more than the setting allows', async () => {
  service.hosted.script(adds(1, 2), adds(3, 4), adds(5, 6));
  const { status, body } = await runOf({ onExceeded: 'pause' })();
  expect([status, body.details]).toMatchObject([500, { limit: 'maxToolCalls', max: 2 }]);
});

test('a run by the built-in rules finishes with what is there', async () => {
  const { status, body } = await service.post('/api/tools/mcp', {
    query: 'multiply 6 by 7 and then subtract 2',
    options: { model: 'builtin', budget: { maxToolCalls: 1, onExceeded: 'finish' } },
  });
  expect([status, body.data]).toMatchObject([
    200,
    { success: false, finalResult: 42, answer: '', exceeded: 'maxToolCalls' },
  ]);
});

test('a run that finishes has its results also where the model fails then', async () => {
  service.hosted.script(adds(1, 2), refusesKey());
  const { status, body } = await runOf({ maxModelCalls: 1, onExceeded: 'finish' })();
  expect([status, body.data]).toMatchObject([200, { success: false, finalResult: 3, answer: '' }]);
  expect(body.data.errors.at(-1).error).toMatch(/gave no last answer/);
});

test('a sentence for one tool fails where the setting lets runs finish', async () => {
  service.hosted.script(adds(1, 2));
  const body = { query: 'add', toolName: 'calculator', options: { budget: { maxToolCalls: 0 } } };
  const { status, body: answered } = await service.post('/api/tools/execute-with-llm', body);
  expect([status, answered.message]).toEqual([500, 'Budget exhausted']);
});

describe('a turn of the agent', () => {
  const adding = (done: string) =>
    playsAgent({
      classify: classifiesAs('tool_execution', ['calculator']),
      plan: plansInTurn([calculates('add', 2, 3)], done),
      answer: says('It may be 5.'),
    });
  const turn = (budget: object): Promise<Answer> =>
    ask(service, 'add 2 and 3', { userId: newUser(), budget });

  test('counts its classification, plans and answer', async () => {
    service.hosted.otherwise(adding('It is 5.'));
    const { body } = await turn({ maxTokens: 100_000 });
    expect([body.data.response, body.data.usage]).toEqual([
      'It is 5.',
      { promptTokens: 30, completionTokens: 15, costUsd: 0.0000135, modelCalls: 3, toolCalls: 1 },
    ]);
  });

  test('fails at a limit', async () => {
    service.hosted.otherwise(adding('It is 5.'));
    const { status, body } = await turn({ maxModelCalls: 2, onExceeded: 'fail' });
    expect([status, body.error]).toEqual([500, 'Budget exhausted']);
  });

  test('answers from what is there where it has to finish', async () => {
    service.hosted.otherwise(adding('It is 5.'));
    const { status, body } = await turn({ maxModelCalls: 2, onExceeded: 'finish' });
    expect([status, body.data.response, body.data.usage.modelCalls]).toEqual([200, 'It may be 5.', 3]);
    expect(body.data.metadata.toolProblem).toMatch(/maxModelCalls/);
  });

  test('waits for more', async () => {
    service.hosted.otherwise(adding('It is 5.'));
    const key = randomUUID();
    const userId = newUser();
    const budget = { maxToolCalls: 0, onExceeded: 'pause' };
    const start = (): Promise<Answer> =>
      ask(service, 'add 2 and 3', { userId, budget }, { 'idempotency-key': key });
    await answer(pendingIn(await start()), { decision: 'approve', budget: { maxToolCalls: 1 } });
    const { status, body } = await untilEnded(start);
    expect([status, body.data.response]).toEqual([200, 'It is 5.']);
  });
});

test('the built-in rules cost nothing', async () => {
  const { body } = await service.post('/api/tools/mcp', {
    query: 'add 1 and 2',
    options: { model: 'builtin', budget: { maxCostUsd: 0.01 } },
  });
  expect([body.data.finalResult, body.data.usage.costUsd]).toEqual([3, 0]);
});

test('costs of a model without a price are unknown, and no limit of them can be kept', async () => {
  service.local.script(says('Hello.'));
  const free = { query: 'hello', options: { model: 'local' } };
  expect((await service.post('/api/tools/mcp', free)).body.data.usage.costUsd).toBeNull();
  const limited = { query: 'hello', options: { model: 'local', budget: { maxCostUsd: 1 } } };
  const { status, body } = await service.post('/api/tools/mcp', limited);
  expect([status, body.details.field]).toEqual([400, 'options.model']);
});

test.each([
  ['/api/tools/mcp', { maxTokens: 0 }, 'options.budget.maxTokens'],
  ['/api/tools/mcp', { maxTokes: 5 }, 'options.budget.maxTokes'],
  ['/api/tools/mcp', { maxToolCalls: 3 }, 'options.budget.maxToolCalls'],
  ['/api/tools/mcp', { onExceeded: 'ask' }, 'options.budget.onExceeded'],
  ['/api/tools/execute-with-llm', { onExceeded: 'finish' }, 'options.budget.onExceeded'],
])('%s refuses the budget %j', async (path, budget, field) => {
  const { status, body } = await service.post(path, {
    query: 'add',
    toolName: 'calculator',
    options: { budget },
  });
  expect([status, body.details.field]).toEqual([400, field]);
});
