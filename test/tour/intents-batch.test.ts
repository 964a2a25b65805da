import { randomUUID } from 'node:crypto';
import { INTENT_TYPES } from '../../src/contracts/intent-types';
import { historyTexts, scheduledActivities } from '../support/history-texts';
import { classifyBatch, initializeIntents, intentFigures } from '../support/intents';
import { saysJson, slowly } from '../support/model-server';
import type { ModelService } from '../support/model-service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { useModelService } from '../support/use-service';
import { computeDigest } from '../../src/base/ids';

const RULES = { model: 'builtin' };
const ANSWER = { type: 'conversation', confidence: 0.9 };

let service: ModelService;
let temporal: TestClient;

beforeAll(async () => {
  [service, temporal] = await Promise.all([useModelService(), connectTemporal()]);
  await initializeIntents(service);
});
afterAll(() => Promise.all([service.stop(), temporal.close()]));
beforeEach(() => service.hosted.reset());

const queries = (count: number, options: object = RULES) =>
  Array.from({ length: count }, (_, n) => ({ id: `q${n}`, query: `what is ${n} times 7`, options }));

test('results come in the order of the request, with a summary', async () => {
  const asked = [
    { id: 'z', query: 'hello there, how are you doing', options: RULES },
    { id: 'a', query: 'What is 15 times 7?', options: RULES },
    { id: '7', query: 'what did I tell you about my sister', options: RULES },
  ];
  const { status, body, headers } = await classifyBatch(service, asked);
  expect([status, body.message]).toEqual([200, 'Batch classification completed successfully']);
  expect(headers.get('x-workflow-id')).toMatch(/^classify-batch\//);
  const { results, summary } = body.data;
  expect(
    results.map(({ id, intent }: { id: string; intent: { type: string } }) => [id, intent.type]),
  ).toEqual([
    ['z', 'conversation'],
    ['a', 'tool_execution'],
    ['7', 'memory_chat'],
  ]);
  const confidences = results.map(({ intent }: { intent: { confidence: number } }) => intent.confidence);
  expect(summary).toEqual({
    totalQueries: 3,
    averageConfidence: expect.closeTo(confidences.reduce((sum: number, one: number) => sum + one, 0) / 3, 10),
    intentDistribution: {
      conversation: 1,
      tool_execution: 1,
      memory_chat: 1,
      hybrid: 0,
      knowledge_search: 0,
    },
    successfulClassifications: 3,
    failedClassifications: 0,
    totalTime: expect.any(Number),
    averageTime: expect.any(Number),
  });
});

test('who asks is neither in the history of the run nor in its memo', async () => {
  const [userId, sessionId] = ['ada-of-the-batch', 'session-of-ada'];
  const asked = [{ id: 'a', query: 'hello there', options: { ...RULES, userId, sessionId } }];
  const batchOptions = { parallel: true, maxConcurrency: 5 };
  const { status, headers } = await classifyBatch(service, asked, batchOptions, {
    'idempotency-key': randomUUID(),
  });
  expect(status).toBe(200);
  const workflowId = headers.get('x-workflow-id') ?? '';
  const texts = await historyTexts(temporal.client, workflowId);
  expect(texts).toContain('hello there');
  expect(texts).not.toContain('of-ada');
  expect(texts).not.toContain('ada-of');
  const { memo } = await temporal.client.workflow.getHandle(workflowId).describe();
  expect(memo?.['requestDigest']).toMatch(/^[0-9a-f]{64}$/);
  expect(memo?.['requestDigest']).not.toBe(computeDigest({ queries: asked, options: batchOptions }));
});

test('a bad query fails alone, is counted, and is no classification', async () => {
  const before = await intentFigures(service);
  const { status, body } = await classifyBatch(service, [
    { id: 'a', query: 'hello', options: RULES },
    { id: 'b', query: 7 },
    { id: 'c' },
    { id: 'd', query: 'hello', options: { ...RULES, temperature: 4 } },
    { id: 'e', query: 'hello', options: 'none' },
    { id: 'f', query: 'hello', options: { ...RULES, context: { list: Array(50_000).fill('word') } } },
  ]);
  expect(status).toBe(200);
  const none = { code: 'INTENT_QUERY_INVALID' };
  const invalid = { code: 'VALIDATION' };
  expect(body.data.results).toEqual([
    { id: 'a', intent: expect.objectContaining({ type: 'conversation' }) },
    { id: 'b', error: { ...none, message: 'query must be a non-empty string' } },
    { id: 'c', error: { ...none, message: 'query must be a non-empty string' } },
    { id: 'd', error: { ...invalid, message: expect.stringMatching(/^temperature: /) } },
    { id: 'e', error: { ...invalid, message: expect.stringMatching(/^options: /) } },
    { id: 'f', intent: expect.anything() },
  ]);
  expect(body.data.summary).toMatchObject({
    totalQueries: 6,
    successfulClassifications: 2,
    failedClassifications: 4,
  });
  const after = await intentFigures(service);
  expect(after.totalClassifications).toBe(before.totalClassifications + 2);
});

test.each<[string, unknown, string]>([
  [
    'an id that is there twice',
    [
      { id: 'a', query: 'x' },
      { id: 'b', query: 'x' },
      { id: 'a', query: 'y' },
    ],
    'queries[2].id',
  ],
  ['no id', [{ query: 'x' }], 'queries[0].id'],
  ['nothing to classify', [], 'queries'],
  ['no list', 'hello', 'queries'],
  ['more than 1,000 queries', queries(1_001), 'queries'],
])('%s is refused', async (_, asked, field) => {
  const { status, body } = await classifyBatch(service, asked as object[]);
  expect([status, body.error, body.details?.field]).toEqual([400, 'Validation error', field]);
});

test.each([0, 101, 1.5, '5'])('at most %p at once is refused', async (maxConcurrency) => {
  const { status, body } = await classifyBatch(service, queries(1), { maxConcurrency });
  expect([status, body.details?.field]).toEqual([400, 'options.maxConcurrency']);
});

test('1,000 queries in one request, each counted once, in parts that the history tells of', async () => {
  const before = await intentFigures(service);
  const { status, body, headers } = await classifyBatch(service, queries(1_000), { maxConcurrency: 8 });
  expect(status).toBe(200);
  expect(body.data.results.map(({ id }: { id: string }) => id)).toEqual(queries(1_000).map(({ id }) => id));
  expect(body.data.summary).toMatchObject({ totalQueries: 1_000, successfulClassifications: 1_000 });
  const counted = INTENT_TYPES.reduce((sum, type) => sum + body.data.summary.intentDistribution[type], 0);
  expect(counted).toBe(1_000);

  const after = await intentFigures(service);
  expect(after.totalClassifications).toBe(before.totalClassifications + 1_000);
  expect(after.recentActivity.lastHour).toBe(before.recentActivity.lastHour + 1_000);

  const parts = await scheduledActivities(temporal.client, headers.get('x-workflow-id') ?? '');
  expect(parts).toEqual(
    Array.from({ length: 40 }, (_, at) => ['classifyPart', `classifyPart-${at + 1}: classify 25 queries`]),
  );
});

test.each<[string, object | undefined, number]>([
  ['five by default', undefined, 5],
  ['as many as the caller wants', { maxConcurrency: 12 }, 12],
  ['one where they are not parallel', { parallel: false, maxConcurrency: 12 }, 1],
])('%s are classified at once, and no more', async (_, options, most) => {
  let going = 0;
  let highest = 0;
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  service.hosted.otherwise(async (request, response) => {
    going += 1;
    highest = Math.max(highest, going);
    // The first are answered when all that may be under way have come; more than that would come too.
    if (going === most) reach();
    await reached;
    await slowly(60, saysJson(ANSWER))(request, response);
    going -= 1;
  });
  const { status } = await classifyBatch(service, queries(60, {}), options);
  expect(status).toBe(200);
  expect(service.hosted.requests).toHaveLength(60);
  expect(highest).toBe(most);
});

test('a repeat with the same key joins the first run', async () => {
  const key = { 'Idempotency-Key': randomUUID() };
  const before = (await intentFigures(service)).totalClassifications;
  const first = await classifyBatch(service, queries(3), undefined, key);
  const second = await classifyBatch(service, queries(3), undefined, key);
  expect(second.body).toEqual(first.body);
  expect((await intentFigures(service)).totalClassifications).toBe(before + 3);
  const other = await classifyBatch(service, queries(4), undefined, key);
  expect(other.status).toBe(409);
});

test('the run is found by its area, and tells its progress', async () => {
  const { headers } = await classifyBatch(service, queries(60));
  const handle = temporal.client.workflow.getHandle(headers.get('x-workflow-id') ?? '');
  const { typedSearchAttributes, type } = await handle.describe();
  const area = typedSearchAttributes.get({ name: 'HoldfastArea', type: 'KEYWORD' });
  expect([type, area]).toEqual(['classifyBatch', 'intent']);
  expect(await handle.query('progress')).toEqual([
    { step: 'part 1', what: '20 queries', state: 'completed' },
    { step: 'part 2', what: '20 queries', state: 'completed' },
    { step: 'part 3', what: '20 queries', state: 'completed' },
  ]);
});
