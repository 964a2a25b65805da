import type { Answer } from '../support/http';
import { LEXICAL, addEpisodic, addSemantic, getSemantic, idsOf, newUser } from '../support/memories';
import { initializedMemoryChat, sharedMemoryChat } from '../support/memory-chat';
import type { SharedService } from '../support/service';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
let service: SharedService;

beforeAll(async () => {
  service = await sharedMemoryChat();
});
afterAll(() => service.stop());

const store = (fields: object): Promise<Answer> =>
  service.post('/api/memory-chat/knowledge', {
    concept: 'park',
    description: 'a place to walk in',
    ...fields,
  });

const found = (query: object): Promise<Answer> => service.post('/api/memory-chat/knowledge/search', query);

describe('storing', () => {
  test('answers 201 with the semantic memory, flat fields in its metadata', async () => {
    const flat = { category: 'biology', confidence: 0.9, source: 'school' };
    const text = { userId: newUser(), concept: 'Osmosis', description: 'Water through a wall' };
    const { status, body } = await store({ ...text, ...flat });
    expect([status, body.success, body.message]).toEqual([201, true, 'Knowledge stored successfully']);
    expect(body.tools).toEqual(['vectordb', 'embedder']);
    expect(body.data).toEqual({
      ...text,
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      metadata: { ...flat, accessCount: 0, lastAccessed: expect.any(String) },
      relationships: { similar: [], children: [], related: [] },
    });
    expect((await getSemantic(service, body.data.id)).body.data).toMatchObject(text);
  });

  test('has the defaults of a semantic memory, and takes metadata, which counts more', async () => {
    expect((await store({ userId: newUser() })).body.data.metadata).toMatchObject({
      category: 'general',
      confidence: 0.5,
      source: 'user',
    });
    const given = { category: 'one', metadata: { category: 'other', page: 3 } };
    expect((await store({ userId: newUser(), ...given })).body.data.metadata).toMatchObject(given.metadata);
  });

  test.each<[string, object]>([
    ['userId', { userId: undefined }],
    ['concept', { concept: ' ' }],
    ['description', { description: 'x'.repeat(10_001) }],
    ['confidence', { confidence: 1.1 }],
    ['category', { category: '' }],
    ['source', { source: 5 }],
  ])('refuses a wrong %s', async (field, wrong) => {
    const { status, body } = await store({ userId: newUser(), ...wrong });
    expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', field]);
  });
});

describe('one piece', () => {
  test('is read, changed in part and forgotten', async () => {
    const { id, metadata, ...text } = (await store({ userId: newUser(), category: 'place' })).body.data;
    const path = `/api/memory-chat/knowledge/${id}`;
    const read = await service.get(path);
    expect([read.status, read.body.message, read.body.tools]).toEqual([
      200,
      'Knowledge retrieved successfully',
      ['vectordb'],
    ]);
    expect(read.body.data).toEqual({
      ...text,
      id,
      metadata: { ...metadata, accessCount: 1, lastAccessed: expect.any(String) },
    });

    const same = await service.send('PUT', path, read.body.data);
    expect([same.status, same.body.data]).toEqual([200, read.body.data]);
    const other = await service.send('PUT', path, { ...read.body.data, id: 'other' });
    expect([other.status, other.body.details.field]).toEqual([400, 'id']);

    const changed = await service.send('PUT', path, { description: 'trees', metadata: { confidence: 0.8 } });
    expect([changed.status, changed.body.message]).toEqual([200, 'Knowledge updated successfully']);
    expect(changed.body.data).toMatchObject({
      ...text,
      description: 'trees',
      metadata: { category: 'place', confidence: 0.8, source: 'user' },
    });
    const flat = await service.send('PUT', path, { category: 'nature' });
    expect(flat.body.data).toMatchObject({
      description: 'trees',
      metadata: { category: 'nature', confidence: 0.8 },
    });

    const forgotten = await service.send('DELETE', path);
    expect([forgotten.status, forgotten.body.message, forgotten.body.data]).toEqual([
      200,
      'Knowledge deleted successfully',
      { deleted: true },
    ]);
    expect((await service.get(path)).status).toBe(404);
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s of an unknown one, or of an event, is a 404', async (method) => {
    const { id } = await addEpisodic(service, { userId: newUser() });
    for (const unknown of [ID, id]) {
      const { status, body } = await service.send(
        method,
        `/api/memory-chat/knowledge/${unknown}`,
        method === 'PUT' ? { description: 'x' } : undefined,
      );
      expect([status, body]).toMatchObject([
        404,
        { success: false, error: 'Memory not found', message: expect.stringContaining(unknown) },
      ]);
    }
  });
});

describe('searching knowledge', () => {
  test('tells items with scores, the most similar first, from 0.7 on unless asked otherwise', async () => {
    const userId = newUser();
    const flat = { category: 'people', confidence: 0.9, source: 'a friend' };
    const ada = (
      await store({ userId, concept: 'Ada', description: 'plays the violin in an orchestra', ...flat })
    ).body.data;
    const violin = (await store({ userId, concept: 'violin', description: 'an instrument' })).body.data;
    await store({ userId: newUser(), concept: 'violin', description: 'of another user' });

    const { status, body } = await found({ userId, query: 'violin orchestra' });
    expect([status, body.message, body.tools]).toEqual([
      200,
      'Found 1 knowledge items',
      ['vectordb', 'embedder'],
    ]);
    expect(body.data).toEqual([
      {
        id: ada.id,
        concept: 'Ada',
        description: 'plays the violin in an orchestra',
        similarityScore: expect.any(Number),
        metadata: flat,
      },
    ]);
    const all = (await found({ userId, query: 'violin orchestra', threshold: 0.1 })).body;
    expect([all.message, idsOf(all.data)]).toEqual(['Found 2 knowledge items', [ada.id, violin.id]]);
    const filtered = { userId, query: 'violin', threshold: 0, filters: { categories: ['people'] } };
    expect(idsOf((await found(filtered)).body.data)).toEqual([ada.id]);
    expect(idsOf((await found({ ...filtered, limit: 1, filters: {} })).body.data)).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['userId', { userId: undefined }],
    ['query', { query: '' }],
    ['threshold', { threshold: 2 }],
    ['limit', { limit: 101 }],
  ])('refuses a wrong %s', async (field, wrong) => {
    const { status, body } = await found({ userId: newUser(), query: 'x', ...wrong });
    expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', field]);
  });
});

describe('searching both kinds', () => {
  test('has the shape of a memory search; a session bounds the events', async () => {
    const userId = newUser();
    const event = await addEpisodic(service, { userId, content: 'Ada played the violin' });
    const other = await addEpisodic(service, { userId, content: 'the violin broke', sessionId: 'session-2' });
    const concept = await addSemantic(service, { userId, concept: 'violin', description: 'an instrument' });
    const ask = (more: object) =>
      service.post('/api/memory-chat/search', { userId, query: 'violin', ...more });
    const ids = ({ body }: Answer) => [idsOf(body.data.episodic).sort(), idsOf(body.data.semantic)];

    const all = await ask({});
    expect([all.status, all.body.message, all.body.tools]).toEqual([
      200,
      'Found 3 memories',
      ['graphdb', 'vectordb', 'embedder'],
    ]);
    expect(ids(all)).toEqual([[event.id, other.id].sort(), [concept.id]]);
    expect(Object.keys(all.body.data.episodic[0]).sort()).toEqual([
      'content',
      'id',
      'relevanceScore',
      'timestamp',
    ]);
    expect(ids(await ask({ sessionId: 'session-2' }))).toEqual([[other.id], [concept.id]]);
    expect(ids(await ask({ type: 'episodic', limit: 1 }))[0]).toHaveLength(1);
    expect(ids(await ask({ type: 'semantic' }))).toEqual([[], [concept.id]]);
  });
});

test('with no store of semantic memories, knowledge is a memory service error, and events work', async () => {
  const bare = await initializedMemoryChat({ ...LEXICAL, VECTOR_STORE: 'none' });
  try {
    const userId = newUser();
    const knowledge = '/api/memory-chat/knowledge';
    const answers = await Promise.all([
      bare.post(knowledge, { userId, concept: 'x', description: 'y' }),
      bare.post(`${knowledge}/search`, { userId, query: 'x' }),
      bare.get(`${knowledge}/${ID}`),
      bare.send('PUT', `${knowledge}/${ID}`, { description: 'x' }),
      bare.send('DELETE', `${knowledge}/${ID}`),
      bare.post('/api/memory-chat/search', { userId, query: 'x', type: 'both' }),
    ]);
    const reason = 'no store of semantic memories is configured: VECTOR_STORE=none';
    for (const { status, body } of answers) {
      expect([status, body]).toMatchObject([
        503,
        {
          success: false,
          error: 'Memory service error',
          message: expect.stringContaining(reason),
          details: { service: 'vectordb', reason },
        },
      ]);
    }
    const { id } = await addEpisodic(bare, { userId, content: 'a violin' });
    const search = await bare.post('/api/memory-chat/search', { userId, query: 'violin' });
    expect([idsOf(search.body.data.episodic), search.body.tools]).toEqual([[id], ['graphdb', 'embedder']]);
    const insights = await bare.get(`/api/memory-chat/insights/${userId}`);
    expect([insights.body.tools, insights.body.data.totalMemories]).toEqual([['graphdb'], 1]);
  } finally {
    await bare.stop();
  }
});
