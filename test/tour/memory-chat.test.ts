import { randomUUID } from 'node:crypto';
import { scheduledActivities } from '../support/history-texts';
import type { Answer } from '../support/http';
import { LEXICAL, addEpisodic, addSemantic, idsOf, newUser } from '../support/memories';
import {
  chat,
  type ChatFields,
  contentsOf,
  historyOf,
  initializedMemoryChat,
  initializeMemoryChat,
  isInTurns,
  sharedMemoryChat,
} from '../support/memory-chat';
import { type Service, type SharedService, startService } from '../support/service';
import { connectTemporal, type TestClient } from '../support/temporal-client';

let service: SharedService;
let temporal: TestClient;

beforeAll(async () => {
  [service, temporal] = await Promise.all([sharedMemoryChat(), connectTemporal()]);
});
afterAll(() => Promise.all([service.stop(), temporal.close()]));

const say = (fields: ChatFields, headers?: Record<string, string>): Promise<Answer> =>
  chat(service, fields, headers);

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

test('a message is answered, and both are in the history', async () => {
  const userId = newUser();
  const { status, body, headers } = await say({ userId, message: 'My name is Dana and I prefer tea' });
  expect([status, body.message, body.tools]).toEqual([
    200,
    'Chat message processed successfully',
    ['graphdb', 'vectordb', 'embedder'],
  ]);
  expect(body.data).toEqual({
    message: expect.stringMatching(/Dana/),
    context: '',
    memories: { episodic: [], semantic: [] },
    storedMemory: {
      id: expect.stringMatching(ID),
      content: 'My name is Dana and I prefer tea',
      timestamp: expect.any(String),
    },
    timestamp: expect.any(String),
    sources: [],
    degraded: [],
    usage: { promptTokens: 0, completionTokens: 0, costUsd: 0, modelCalls: 0, toolCalls: 0 },
    metadata: {
      modelUsed: 'builtin',
      provider: 'builtin',
      llmUsage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
      executionTime: expect.any(Number),
      sessionWaitTime: expect.any(Number),
      memorySearchTime: expect.any(Number),
      llmResponseTime: expect.any(Number),
      memoryStoreTime: expect.any(Number),
    },
  });
  expect(headers.get('x-workflow-id')).toMatch(/^memory-chat-turn\//);
  expect(headers.get('x-workflow-id')).not.toContain(userId);

  const { storedMemory, message, timestamp } = body.data;
  expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse(storedMemory.timestamp));
  expect(await historyOf(service, userId)).toEqual([
    { ...storedMemory, type: 'user', importance: 0.5 },
    { id: expect.stringMatching(ID), content: message, timestamp, type: 'assistant', importance: 0.3 },
  ]);
  const kept = (await service.get(`/api/memory/episodic/${storedMemory.id}`)).body.data;
  expect(kept).toMatchObject({ metadata: { source: 'user', tags: ['conversation'] } });
});

test('what was said in another session, and what is known, is recalled with where it is from', async () => {
  const userId = newUser();
  const stored = (await say({ userId, message: 'I prefer tea over coffee' })).body.data.storedMemory;
  const knowledge = await addSemantic(service, { userId, concept: 'tea', description: 'is kept in the tin' });
  await addEpisodic(service, { userId: newUser(), content: 'tea of somebody else' });

  const { body } = await say({ userId, sessionId: 'session-2', message: 'Do I prefer tea or coffee?' });
  expect(body.data.message).toMatch(/tea/);
  expect(body.data.sources).toEqual([stored.id]);
  expect(idsOf(body.data.memories.episodic)).toContain(stored.id);
  // The question itself is no memory that may answer it.
  expect(idsOf(body.data.memories.episodic)).not.toContain(body.data.storedMemory.id);
  for (const { id, relevanceScore, ...rest } of body.data.memories.episodic) {
    expect(id).toMatch(ID);
    expect(relevanceScore).toBeGreaterThanOrEqual(0.3);
    expect(Object.keys(rest).sort()).toEqual(['content', 'timestamp']);
  }
  expect(body.data.context).toContain('I prefer tea over coffee');
  expect(body.data.context).not.toContain('somebody else');
  expect(body.data.context).not.toContain('Do I prefer');

  const about = await say({ userId, sessionId: 'session-3', message: 'tea tin' });
  expect(about.body.data.memories.semantic).toEqual([
    {
      id: knowledge.id,
      concept: 'tea',
      description: 'is kept in the tin',
      similarityScore: expect.any(Number),
    },
  ]);
});

test('without memories none is used or told, and the message is kept all the same', async () => {
  const userId = newUser();
  await say({ userId, message: 'My sister lives in Lisbon' });
  const message = 'Where does my sister live?';
  const { body } = await say({ userId, message, includeMemories: false });
  expect(body.data).toMatchObject({ context: '', memories: { episodic: [], semantic: [] }, sources: [] });
  expect(body.data.message).toMatch(/did not look into memory/);
  expect(body.tools).toEqual(['graphdb', 'embedder']);
  expect(contentsOf(await historyOf(service, userId), 'user')).toEqual([
    'My sister lives in Lisbon',
    message,
  ]);
  expect((await say({ userId, message })).body.data.message).toMatch(/Lisbon/);
});

test('no more than ten memories are recalled, the message itself not counted', async () => {
  const userId = newUser();
  for (let n = 0; n < 12; n += 1) await addEpisodic(service, { userId, content: `violin number ${n}` });
  await addSemantic(service, { userId, concept: 'violin', description: 'number of an instrument' });
  const { memories, storedMemory } = (await say({ userId, message: 'violin number' })).body.data;
  expect(memories.episodic.length + memories.semantic.length).toBe(10);
  expect(idsOf(memories.episodic)).not.toContain(storedMemory.id);
});

test('what nothing was told of is said to be unknown, and not to want a model', async () => {
  const { message } = (await say({ userId: newUser(), message: 'Where do I work?' })).body.data;
  expect(message).toBe(
    'I have no memory that answers this: “Where do I work?”. Tell me, and I will remember it.',
  );
});

test('a question that was asked over and over does not hide what is told then', async () => {
  const userId = newUser();
  const message = 'What is the name of my plumber?';
  const limit = 10;
  for (let n = 0; n <= limit; n += 1) {
    const asked = await say({ userId, message: n % 2 === 0 ? message : 'what is the name of my plumber' });
    expect(asked.body.data.memories.episodic).toEqual([]);
  }
  await say({ userId, message: 'My plumber is called Rosa.' });
  const { body } = await say({ userId, message, sessionId: 'session-2' });
  expect(body.data.message).toMatch(/Rosa/);
  const recalled = body.data.memories.episodic.map(({ content }: { content: string }) => content);
  expect(recalled).toContain('My plumber is called Rosa.');
});

test('steps are seen in the history of the run', async () => {
  const answer = await say({ userId: newUser() });
  const run = answer.headers.get('x-workflow-id') ?? '';
  expect(await scheduledActivities(temporal.client, run)).toEqual([
    ['storeMessages', 'storeMessages-1: remember the message'],
    ['recallMemories', 'recallMemories-1: recall memories'],
    ['storeMessages', 'storeMessages-2: remember the answer'],
  ]);
});

test('turns of a session that are sent at once run one after another, each message with its answer', async () => {
  const userId = newUser();
  const messages = Array.from({ length: 12 }, (_, n) => `I have ${n} marbles in box ${n}`);
  const answers = await Promise.all(messages.map((message) => say({ userId, message })));
  expect(answers.map(({ status }) => status)).toEqual(messages.map(() => 200));
  const history = await historyOf(service, userId);
  expect(history).toHaveLength(24);
  expect(isInTurns(history)).toBe(true);
  expect(new Set(contentsOf(history, 'user'))).toEqual(new Set(messages));
  for (const { body } of answers) {
    const at = history.findIndex(({ id }) => id === body.data.storedMemory.id);
    expect(history[at + 1]!.content).toBe(body.data.message);
  }
});

describe('a repeat under the same key', () => {
  test('joins the turn, and stores nothing twice', async () => {
    const userId = newUser();
    const key = { 'Idempotency-Key': randomUUID() };
    const message = 'I keep bees';
    const both = await Promise.all([say({ userId, message }, key), say({ userId, message }, key)]);
    const [first, second] = [...both, await say({ userId, message }, key)].map(({ body }) => body.data);
    expect(second).toEqual(first);
    expect((await historyOf(service, userId)).length).toBe(2);
  });

  test('is refused where the message is another one', async () => {
    const userId = newUser();
    const key = { 'Idempotency-Key': randomUUID() };
    await say({ userId, message: 'one' }, key);
    const { status, body } = await say({ userId, message: 'two' }, key);
    expect([status, body.error]).toEqual([409, 'Conflict']);
    expect((await historyOf(service, userId)).length).toBe(2);
  });
});

test.each<[string, ChatFields & object]>([
  ['userId', { userId: '' }],
  ['sessionId', { sessionId: 'a\nb' }],
  ['message', { message: undefined }],
  ['message', { message: '  ' }],
  ['message', { message: 7 }],
  ['message', { message: 'x'.repeat(10_001) }],
  ['includeMemories', { includeMemories: 'yes' as never }],
  ['options.temperature', { options: { temperature: 2 } }],
  ['options.maxTokens', { options: { maxTokens: 0 } }],
])('a wrong %s is refused: %j', async (field, wrong) => {
  const { status, body, headers } = await say({ userId: 'ann', ...wrong });
  expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', field]);
  expect(headers.get('x-workflow-id')).toBeNull();
});

describe('before it is initialized', () => {
  test.each<[string, (api: Service) => Promise<Answer>]>([
    ['chat', (api) => chat(api, { userId: 'ann' })],
    ['history', (api) => api.get('/api/memory-chat/history/ann/s')],
    ['search', (api) => api.post('/api/memory-chat/search', { userId: 'ann', query: 'x' })],
    ['insights', (api) => api.get('/api/memory-chat/insights/ann')],
    [
      'storing knowledge',
      (api) => api.post('/api/memory-chat/knowledge', { userId: 'ann', concept: 'x', description: 'y' }),
    ],
    ['reading knowledge', (api) => api.get('/api/memory-chat/knowledge/x')],
    ['changing knowledge', (api) => api.send('PUT', '/api/memory-chat/knowledge/x', {})],
    ['forgetting knowledge', (api) => api.send('DELETE', '/api/memory-chat/knowledge/x')],
    [
      'searching knowledge',
      (api) => api.post('/api/memory-chat/knowledge/search', { userId: 'ann', query: 'x' }),
    ],
    [
      'enhance-context',
      (api) => api.post('/api/memory-chat/enhance-context', { userId: 'ann', sessionId: 's', query: 'x' }),
    ],
  ])('%s says so', async (_, ask) => {
    const { status, body } = await ask(bare);
    expect([status, body]).toMatchObject([
      503,
      { success: false, error: 'Service not initialized', message: expect.stringContaining('initialize') },
    ]);
  });

  let bare: Service;
  beforeAll(async () => {
    bare = await startService(LEXICAL);
  });
  afterAll(async () => {
    expect((await initializeMemoryChat(bare)).status).toBe(200);
    expect((await chat(bare, { userId: 'ann' })).status).toBe(200);
    await bare.stop();
  });
});

test('a turn says what it goes without: a store of semantic memories, room for the answer', async () => {
  const limits = { VECTOR_STORE: 'none', MEMORY_MAX_PER_USER: '3' };
  const episodicOnly = await initializedMemoryChat({ ...LEXICAL, ...limits });
  try {
    const { body } = await chat(episodicOnly, { userId: 'ann', message: 'I like tea' });
    expect(body.tools).toEqual(['graphdb', 'embedder']);
    expect(body.data.degraded).toEqual([
      {
        service: 'vectordb',
        reason: expect.stringContaining('VECTOR_STORE'),
        consequence: 'only episodic memories were searched',
      },
    ]);
    const full = (await chat(episodicOnly, { userId: 'ann', message: 'I like tea' })).body.data;
    expect(full.degraded.slice(1)).toEqual([
      {
        service: 'graphdb',
        reason: expect.stringContaining('3'),
        consequence: 'the answer may not have been remembered',
      },
    ]);
    const refused = await chat(episodicOnly, { userId: 'ann', message: 'I like tea' });
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([
      400,
      'Memory quota exceeded',
      { kind: 'episodic', quota: 3 },
    ]);
    expect(await historyOf(episodicOnly, 'ann')).toHaveLength(3);
  } finally {
    await episodicOnly.stop();
  }
});
