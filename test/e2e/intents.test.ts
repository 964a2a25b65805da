import { INTENT_DESCRIPTIONS, INTENT_TYPES } from '../../src/contracts/intent-types';
import { calculator } from '../support/calls';
import type { Answer } from '../support/http';
import { classify, classifyBatch, initializeIntents, intentFigures } from '../support/intents';
import { type Service, startService } from '../support/service';
import { type Api, openStage, type Stage } from '../support/stage';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('before it is initialized', () => {
  test.each<[string, () => Promise<Answer>]>([
    ['classify', () => classify(service, 'hello')],
    ['classify-batch', () => classifyBatch(service, [{ id: 'a', query: 'hello' }])],
    ['stats', () => service.get('/api/intent-classifier/stats')],
  ])('%s says so', async (_, ask) => {
    const { status, body, headers } = await ask();
    expect(status).toBe(503);
    expect(body).toMatchObject({
      success: false,
      error: 'Intent classifier not initialized',
      message: expect.stringContaining('POST /api/intent-classifier/initialize'),
    });
    expect(headers.get('x-workflow-id')).toBeNull();
  });

  test('the types can be read all the same', async () => {
    const { status, body } = await service.get('/api/intent-classifier/intent-types');
    expect([status, body.message]).toEqual([200, 'Intent types retrieved successfully']);
    expect(body.data.intentTypes.map(({ type }: { type: string }) => type)).toEqual(INTENT_TYPES);
    for (const { type, description, examples, characteristics } of body.data.intentTypes) {
      expect(description).toBe(INTENT_DESCRIPTIONS[type as keyof typeof INTENT_DESCRIPTIONS]);
      expect(examples.length).toBeGreaterThan(1);
      expect(characteristics.length).toBeGreaterThan(1);
    }
  });
});

describe('once initialized', () => {
  test.each<[string, unknown]>([
    ['no body', undefined],
    ['an empty object', {}],
    ['an empty configuration', { llmConfig: {} }],
  ])('%s is enough for it', async (_, sent) => {
    const { status, body } = await service.post('/api/intent-classifier/initialize', sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Intent classifier initialized successfully',
      data: {
        initialized: true,
        availableIntentTypes: INTENT_TYPES,
        intentTypeDescriptions: INTENT_DESCRIPTIONS,
        provider: 'builtin',
      },
    });
  });

  test('a query is classified, with a plan and what it took', async () => {
    const { status, body, headers } = await classify(service, 'What is 15 times 7?');
    expect([status, body.message]).toEqual([200, 'Query classified successfully']);
    expect(headers.get('x-workflow-id')).toBeNull();
    const { intent, executionPlan, metadata } = body.data;
    expect(intent).toEqual({
      type: 'tool_execution',
      confidence: expect.any(Number),
      requiredTools: ['calculator'],
      memoryContext: false,
      reasoning: expect.stringMatching(/^Taken as tool_execution because .+\.$/),
    });
    expect(executionPlan).toEqual({
      steps: ['run calculator', 'answer'],
      estimatedTime: expect.any(Number),
      complexity: 'simple',
    });
    expect(metadata).toEqual({
      classificationTime: expect.any(Number),
      modelUsed: 'builtin',
      confidence: intent.confidence,
    });
    expect(intent.confidence).toBeGreaterThan(0.9);
  });

  test.each([
    ['hello there, how are you doing', 'conversation', false],
    ['what did I tell you about my sister', 'memory_chat', true],
    ['take the rate I gave you and add 20 percent', 'hybrid', true],
    ['why is the sky blue', 'knowledge_search', true],
  ])('"%s" is %s', async (query, type, memoryContext) => {
    const { body } = await classify(service, query);
    expect(body.data.intent).toMatchObject({ type, memoryContext });
  });

  test('only registered tools are named', async () => {
    await service.send('DELETE', '/api/tools/calculator');
    const without = (await classify(service, 'What is 15 times 7?')).body.data.intent;
    await service.post('/api/tools/restore');
    expect(without).toMatchObject({ type: 'tool_execution', requiredTools: [] });
  });

  test('the estimate follows what runs of the tool took', async () => {
    const estimate = async (): Promise<number> =>
      (await classify(service, 'What is 15 times 7?')).body.data.executionPlan.estimatedTime;
    const guessed = await estimate();
    for (let n = 0; n < 3; n += 1) await service.post('/api/tools/execute', calculator('add', n, 1));
    const known = await estimate();
    expect(guessed).toBe(255);
    // The tool's mean time, and 5 ms for the answer.
    const { averageExecutionTime } = (await service.get('/api/tools/stats')).body.data;
    expect(known).toBeCloseTo(averageExecutionTime + 5, 1);
  });

  test('the reasoning is left out where it is not wanted', async () => {
    const { body } = await classify(service, 'hello', { includeReasoning: false });
    expect(body.data.intent).not.toHaveProperty('reasoning');
  });

  test('intents before, a hint and a context lift what is in doubt', async () => {
    const typeOf = async (query: string, options: object) =>
      (await classify(service, query, options)).body.data.intent;
    const follow = 'and times 3?';
    expect(await typeOf(follow, { previousIntents: ['tool_execution'] })).toMatchObject({
      type: 'tool_execution',
    });
    expect(await typeOf(follow, { previousIntents: ['memory_chat'] })).toMatchObject({ type: 'hybrid' });

    const vague = 'qwxz';
    const options = { confidenceThreshold: 1 };
    const alone = await typeOf(vague, options);
    const hinted = await typeOf(vague, { ...options, hintIntent: alone.type });
    expect(hinted.confidence).toBeGreaterThan(alone.confidence);

    const context = { before: { said: 'why is the sky blue and how do rainbows form' } };
    const inContext = await typeOf('go on', { ...options, context });
    const outside = await typeOf('go on', options);
    expect(outside.type).not.toBe('knowledge_search');
    expect(inContext.type).toBe('knowledge_search');
  });

  test('a low confidence is told, with what else it may be', async () => {
    const { body } = await classify(service, 'What is 15 times 7?', { confidenceThreshold: 1 });
    const { intent, metadata } = body.data;
    expect(intent.type).toBe('tool_execution');
    expect(metadata).toMatchObject({ lowConfidence: true, alternatives: [] });

    const doubtful = (await classify(service, 'qwxz', { confidenceThreshold: 1 })).body.data;
    const { alternatives } = doubtful.metadata;
    expect(alternatives.length).toBeGreaterThan(0);
    const shares = alternatives.map(({ confidence }: { confidence: number }) => confidence);
    expect(shares).toEqual([...shares].sort((one, other) => other - one));
    expect(alternatives).not.toContainEqual(expect.objectContaining({ type: doubtful.intent.type }));
  });
});

describe('what is wrong is told', () => {
  beforeAll(() => initializeIntents(service));

  test.each([[undefined], [null], [7], [''], ['   '], [['hello']]])('the query %p is none', async (query) => {
    const { status, body } = await classify(service, query);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      error: 'Invalid query format',
      message: 'query must be a non-empty string',
    });
  });

  test.each<[string, object]>([
    ['options.userId', { userId: undefined }],
    ['options.sessionId', { sessionId: '' }],
    ['options.temperature', { temperature: 9 }],
    ['options.topP', { topP: -1 }],
    ['options.maxTokens', { maxTokens: 0 }],
    ['options.maxRetries', { maxRetries: 0 }],
    ['options.timeout', { timeout: 'soon' }],
    ['options.confidenceThreshold', { confidenceThreshold: 1.5 }],
    ['options.hintIntent', { hintIntent: 'small_talk' }],
    ['options.previousIntents[1]', { previousIntents: ['hybrid', 'other'] }],
    ['options.context', { context: 'a text' }],
    ['options.includeReasoning', { includeReasoning: 'yes' }],
  ])('%s', async (field, options) => {
    const { status, body } = await classify(service, 'hello', options);
    expect([status, body.error]).toEqual([400, 'Validation error']);
    expect(body.details).toEqual({ field, message: body.message });
  });

  test('a query longer than is read', async () => {
    const { status, body } = await classify(service, 'a'.repeat(10_001));
    expect([status, body.details?.field]).toEqual([400, 'query']);
  });

  test.each<[string, object]>([
    ['llmConfig.hostedApiKey', { hostedApiKey: 'with space' }],
    ['llmConfig.hostedModel', { hostedModel: 7 }],
    ['llmConfig.localBaseUrl', { localBaseUrl: 'ftp://models.example' }],
    ['llmConfig.localBaseUrl', { localBaseUrl: 'http://169.254.169.254/v1' }],
    ['llmConfig.localBaseUrl', { localBaseUrl: 'http://user:secret@127.0.0.1/v1' }],
  ])('an initialization with a bad %s, which leaves the state as it was', async (field, llmConfig) => {
    const { status, body } = await initializeIntents(service, llmConfig);
    expect([status, body.error, body.details?.field]).toEqual([400, 'Validation error', field]);
    expect((await classify(service, 'hello')).status).toBe(200);
  });

  test('a provider that is not configured', async () => {
    const { status, body } = await classify(service, 'hello', { model: 'hosted' });
    expect([status, body.error]).toEqual([503, 'Model not configured']);
  });
});

describe('statistics', () => {
  let stage: Stage;
  let apis: [Api, Api];

  beforeAll(async () => {
    stage = await openStage();
    apis = await Promise.all([stage.api(), stage.api()]);
  });
  afterAll(() => stage.close());

  test('one initialization and one count for all processes, kept when they end', async () => {
    const [first, second] = apis;
    await initializeIntents(first);
    expect(await intentFigures(second)).toEqual({
      totalClassifications: 0,
      averageConfidence: 0,
      intentDistribution: Object.fromEntries(INTENT_TYPES.map((type) => [type, 0])),
      performance: { averageClassificationTime: 0, successRate: 0, errorRate: 0 },
      recentActivity: { lastHour: 0, lastDay: 0, lastWeek: 0 },
    });

    const asked = Array.from({ length: 20 }, (_, n) =>
      classify(apis[n % 2] as Api, n % 4 === 0 ? 'hello there' : 'What is 15 times 7?'),
    );
    const confidences = (await Promise.all(asked)).map(({ body }) => body.data.intent.confidence);
    await classify(first, '');
    await first.process.kill();

    const third = await stage.api();
    const figures = await intentFigures(third);
    expect(figures).toMatchObject({
      totalClassifications: 20,
      intentDistribution: { conversation: 5, tool_execution: 15, hybrid: 0 },
      performance: { successRate: 1, errorRate: 0, averageClassificationTime: expect.any(Number) },
      recentActivity: { lastHour: 20, lastDay: 20, lastWeek: 20 },
    });
    const mean = confidences.reduce((sum, confidence) => sum + confidence, 0) / 20;
    expect(figures.averageConfidence).toBeCloseTo(mean, 5);
    expect(figures.performance.averageClassificationTime).toBeGreaterThan(0);
    expect(await intentFigures(second)).toEqual(figures);
  });
});
