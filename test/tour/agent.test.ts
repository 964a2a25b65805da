import { randomUUID } from 'node:crypto';
import { INTENT_TYPES } from '../../src/contracts/intent-types';
import { answerOf, ask, initializeAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { addSemantic, chainOf, countMemories, getEpisodic, newUser } from '../support/memories';
import type { SharedService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { useService } from '../support/use-service';

let service: SharedService;
let temporal: TestClient;
let userId: string;

beforeAll(async () => {
  [service, temporal] = await Promise.all([useService(), connectTemporal()]);
  await initializeAgent(service);
});
afterAll(() => Promise.all([service.stop(), temporal.close()]));
beforeEach(() => {
  userId = newUser();
});

const turn = (query: unknown, options: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  ask(service, query, { userId, ...options }, headers);
const workflowIdOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';

describe('the answer of a turn', () => {
  test('has everything that the contract names', async () => {
    const { status, body } = await turn('What is 15 times 7?');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Query executed successfully (tool_execution)',
      data: expect.any(Object),
    });
    const { intent, memoryContext, toolResults, metadata, ...rest } = body.data;
    expect(rest).toEqual({
      success: true,
      response: expect.stringContaining('105'),
      reasoning: intent.reasoning,
      usage: {
        promptTokens: expect.any(Number),
        completionTokens: expect.any(Number),
        costUsd: 0,
        modelCalls: 2,
        toolCalls: 1,
      },
    });
    expect(intent).toEqual({
      type: 'tool_execution',
      confidence: expect.any(Number),
      requiredTools: ['calculator'],
      memoryContext: false,
      reasoning: expect.stringMatching(/^Taken as tool_execution because .+\.$/),
    });
    expect(memoryContext).toEqual({
      userId,
      sessionId: 'session-1',
      episodicMemories: [],
      semanticMemories: [],
      contextWindow: { startTime: expect.any(String), endTime: expect.any(String), relevanceScore: 0 },
    });
    expect(toolResults).toEqual([
      {
        toolName: 'calculator',
        args: { operation: 'multiply', a: 15, b: 7 },
        success: true,
        result: 105,
        executionTime: expect.any(Number),
      },
    ]);
    expect(metadata).toMatchObject({
      memoryRetrieved: 0,
      toolsExecuted: 1,
      confidence: intent.confidence,
      provider: 'builtin',
      modelUsed: 'builtin',
      sources: [],
      remembered: true,
      degraded: [],
    });
  });

  test.each([
    ['Hello, how are you?', 'conversation'],
    ['What is 6 times 7?', 'tool_execution'],
    ['What did I tell you about my sister?', 'memory_chat'],
    ['Take the rate I gave you and add 20 percent', 'hybrid'],
    ['Why is the sky blue?', 'knowledge_search'],
  ])('to "%s" has the intent in its message: %s', async (query, type) => {
    const { status, body } = await turn(query);
    expect([status, body.message]).toEqual([200, `Query executed successfully (${type})`]);
    expect(INTENT_TYPES).toContain(body.data.intent.type);
    expect(body.data.response).not.toBe('');
  });

  test('tells the time of each part, and none is more than the whole', async () => {
    const { metadata } = await answerOf(turn('What is 15 times 7?'));
    const { executionTime, ...times } = metadata;
    for (const part of [
      'intentClassificationTime',
      'memorySearchTime',
      'toolExecutionTime',
      'llmResponseTime',
      'memoryStoreTime',
      'sessionWaitTime',
    ]) {
      expect([part, times[part] >= 0 && times[part] <= executionTime]).toEqual([part, true]);
    }
    for (const part of [
      'intentClassificationTime',
      'memorySearchTime',
      'toolExecutionTime',
      'memoryStoreTime',
    ]) {
      expect([part, times[part] > 0]).toEqual([part, true]);
    }
  });

  test('leads to its run, of the type agentTurn, whose id and trace are in headers', async () => {
    const answer = await turn('hello');
    const run = await temporal.client.workflow.getHandle(workflowIdOf(answer)).describe();
    expect([run.type, run.runId, run.status.name]).toEqual([
      'agentTurn',
      answer.headers.get('x-trace-id'),
      'COMPLETED',
    ]);
    const path = `/api/runs/${run.runId}?workflowId=${encodeURIComponent(workflowIdOf(answer))}`;
    expect((await service.get(path)).body.data).toMatchObject({ status: 'completed', type: 'agentTurn' });
  });

  test('is the same below /api/v1', async () => {
    const { status, body } = await service.post('/api/v1/agent/execute', {
      query: 'hello',
      options: { userId, sessionId: 'session-1' },
    });
    expect([status, body.message]).toEqual([200, 'Query executed successfully (conversation)']);
  });

  test('has what was recalled, each with its relevance, within a window of time', async () => {
    await answerOf(turn('My sister lives in Lisbon', { sessionId: 'one' }));
    await addSemantic(service, { userId, concept: 'Lisbon', description: 'where my sister lives' });
    await answerOf(turn('My sister has a dog', { sessionId: 'two' }));
    const { memoryContext, metadata } = await answerOf(
      turn('Where does my sister live?', { sessionId: 'three', memoryThreshold: 0.1 }),
    );
    const { episodicMemories, semanticMemories, contextWindow } = memoryContext;
    expect(memoryContext.sessionId).toBe('three');
    expect(episodicMemories.length).toBeGreaterThan(1);
    expect(episodicMemories[0]).toEqual({
      id: expect.any(String),
      userId,
      sessionId: expect.stringMatching(/^(one|two)$/),
      timestamp: expect.any(String),
      content: expect.stringContaining('sister'),
      context: { turn: expect.stringMatching(/^agent-turn\//) },
      metadata: { source: expect.any(String), importance: expect.any(Number), tags: ['conversation'] },
      relationships: expect.any(Object),
      relevanceScore: expect.any(Number),
    });
    expect(semanticMemories).toMatchObject([{ concept: 'Lisbon', similarityScore: expect.any(Number) }]);
    expect(metadata.memoryRetrieved).toBe(episodicMemories.length + semanticMemories.length);
    const times = episodicMemories.map(({ timestamp }: { timestamp: string }) => timestamp).sort();
    expect([contextWindow.startTime, contextWindow.endTime]).toEqual([times[0], times.at(-1)]);
    const scores: number[] = [
      ...episodicMemories.map(({ relevanceScore }: { relevanceScore: number }) => relevanceScore),
      ...semanticMemories.map(({ similarityScore }: { similarityScore: number }) => similarityScore),
    ];
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    expect(contextWindow.relevanceScore).toBeCloseTo(mean, 10);
    expect([...scores.slice(0, episodicMemories.length)]).toEqual(
      scores.slice(0, episodicMemories.length).sort((one, other) => other - one),
    );
  });
});

describe('a turn is remembered', () => {
  test('as two memories of its session, the question before the answer', async () => {
    const answer = await turn('My name is Dana');
    const first = (await turn('What is my name?', { sessionId: 'other' })).body.data.metadata.sources[0];
    const chain = await chainOf(service, first);
    const [said, answered] = await Promise.all(
      chain.slice(0, 2).map(async (id) => (await getEpisodic(service, id)).body.data),
    );
    expect(said).toMatchObject({
      userId,
      sessionId: 'session-1',
      content: 'My name is Dana',
      context: { turn: workflowIdOf(answer) },
      metadata: { source: 'user', tags: ['conversation'] },
    });
    expect(answered).toMatchObject({
      sessionId: 'session-1',
      content: answer.body.data.response,
      metadata: { source: 'assistant', tags: ['conversation'] },
    });
    expect(Date.parse(answered.timestamp)).toBeGreaterThan(Date.parse(said.timestamp));
  });

  test('also where it asks no memory', async () => {
    await answerOf(turn('My name is Dana', { includeMemoryContext: false }));
    expect(await countMemories(service, userId)).toEqual({ episodic: 2, semantic: 0 });
  });

  test('once, however often it is sent with one key, and every answer is the first one', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const send = () => turn('Please remember that I drink tea', {}, key);
    const [first, second] = await Promise.all([send(), send()]);
    const third = await send();
    expect(first.status).toBe(200);
    for (const repeat of [second, third]) {
      expect(repeat.body).toEqual(first.body);
      expect(workflowIdOf(repeat)).toBe(workflowIdOf(first));
      expect(repeat.headers.get('x-trace-id')).toBe(first.headers.get('x-trace-id'));
    }
    expect(await countMemories(service, userId)).toEqual({ episodic: 2, semantic: 0 });
  });

  test('and a repeat does not come between the turns after it', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await answerOf(turn('one', {}, key));
    await answerOf(turn('two'));
    await answerOf(turn('one', {}, key));
    await answerOf(turn('three'));
    expect(await countMemories(service, userId)).toEqual({ episodic: 6, semantic: 0 });
  });

  test.each<[string, unknown, object]>([
    ['another message', 'two', {}],
    ['another option', 'one', { maxMemoryResults: 3 }],
    ['another session', 'one', { sessionId: 'session-2' }],
  ])('%s under the same key is a conflict and leaves nothing', async (_case, query, options) => {
    const key = { 'idempotency-key': randomUUID() };
    await answerOf(turn('one', {}, key));
    const { status, body } = await turn(query, options, key);
    expect([status, body.error]).toEqual([409, 'Conflict']);
    expect(await countMemories(service, userId)).toEqual({ episodic: 2, semantic: 0 });
  });

  test('two users may use the same key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const mine = await turn('one', {}, key);
    const others = await turn('one', { userId: newUser() }, key);
    expect([mine.status, others.status]).toEqual([200, 200]);
    expect(workflowIdOf(mine)).not.toBe(workflowIdOf(others));
  });
});

describe('a request that is refused leaves no run and no memory', () => {
  afterEach(async () => {
    expect(await countMemories(service, userId)).toEqual({ episodic: 0, semantic: 0 });
  });

  test.each<[string, unknown]>([
    ['no query', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', { text: 'hello' }],
    ['a list', ['hello']],
    ['an empty text', ''],
    ['spaces', ' \n\t'],
  ])('%s is a missing or invalid query', async (_case, query) => {
    const { status, body, headers } = await turn(query);
    expect([status, body]).toMatchObject([
      400,
      { success: false, error: 'Missing or invalid query', message: expect.stringContaining('query') },
    ]);
    expect(headers.get('x-workflow-id')).toBeNull();
  });

  test('a query that is missing is told before options that are wrong', async () => {
    const { body } = await service.post('/api/agent/execute', { options: { temperature: 9 } });
    expect(body.error).toBe('Missing or invalid query');
  });

  const bad: [string, object, string][] = [
    ['no user', { userId: undefined }, 'userId'],
    ['an empty user', { userId: '' }, 'userId'],
    ['a user that is no text', { userId: 7 }, 'userId'],
    ['no session', { sessionId: undefined }, 'sessionId'],
    ['temperature 9', { temperature: 9 }, 'temperature'],
    ['a negative temperature', { temperature: -0.1 }, 'temperature'],
    ['topP 2', { topP: 2 }, 'topP'],
    ['maxTokens 0', { maxTokens: 0 }, 'maxTokens'],
    ['maxMemoryResults 0', { maxMemoryResults: 0 }, 'maxMemoryResults'],
    ['maxMemoryResults 51', { maxMemoryResults: 51 }, 'maxMemoryResults'],
    ['a share of a result', { maxMemoryResults: 1.5 }, 'maxMemoryResults'],
    ['memoryThreshold 1.1', { memoryThreshold: 1.1 }, 'memoryThreshold'],
    ['an unknown intent as a hint', { hintIntent: 'chat' }, 'hintIntent'],
    ['an unknown intent before', { previousIntents: ['conversation', 'chat'] }, 'previousIntents'],
    ['an unknown level', { responseDetailLevel: 'huge' }, 'responseDetailLevel'],
    ['excludeVectors as a text', { excludeVectors: 'yes' }, 'excludeVectors'],
    ['includeMemoryContext as a text', { includeMemoryContext: 'yes' }, 'includeMemoryContext'],
    ['terms as a text', { memorySearchTerms: 'tea' }, 'memorySearchTerms'],
    ['an empty term', { memorySearchTerms: ['tea', ' '] }, 'memorySearchTerms'],
    ['toolTimeout above the limit', { toolTimeout: 30_001 }, 'toolTimeout'],
    ['maxToolRetries above the limit', { maxToolRetries: 3 }, 'maxToolRetries'],
    ['a negative maxToolRetries', { maxToolRetries: -1 }, 'maxToolRetries'],
  ];
  test.each(bad)('%s is a validation error that names the option', async (_case, options, field) => {
    const { status, body } = await turn('hello', options);
    expect([status, body]).toMatchObject([
      400,
      {
        success: false,
        error: 'Validation error',
        message: expect.any(String),
        details: {
          field: expect.stringMatching(new RegExp(`^options\\.${field}`)),
          message: expect.any(String),
        },
      },
    ]);
  });

  test('no options at all is one', async () => {
    const { status, body } = await service.post('/api/agent/execute', { query: 'hello' });
    expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', 'options']);
  });

  test('and so is a query that is too long', async () => {
    const { status, body } = await turn('a'.repeat(10_001));
    expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', 'query']);
  });

  test('what is no JSON is refused', async () => {
    const response = await fetch(`${service.url}/api/agent/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: '{"query": ',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ success: false });
  });
});
