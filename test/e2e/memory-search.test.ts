import {
  LEXICAL,
  addEpisodic,
  addSemantic,
  getSemantic,
  idsOf,
  newUser,
  searchMemory,
} from '../support/memories';
import { type Service, startService } from '../support/service';

const MAX_IN_CONTEXT = 10;

let service: Service;

beforeAll(async () => {
  service = await startService({ ...LEXICAL, MEMORY_MAX_CONTEXT_MEMORIES: String(MAX_IN_CONTEXT) });
});
afterAll(() => service.stop());

describe('a search across both kinds', () => {
  const userId = newUser();
  const stranger = newUser();
  let concert: { id: string; timestamp: string };
  let swim: { id: string; timestamp: string };
  let violin: { id: string };

  beforeAll(async () => {
    concert = await addEpisodic(service, {
      userId,
      content: 'Heard a violin concert with Ada',
      metadata: { tags: ['music'], importance: 0.9, location: 'Kiel' },
    });
    swim = await addEpisodic(service, {
      userId,
      sessionId: 'session-2',
      content: 'Went swimming in the lake',
      metadata: { tags: ['sport'], importance: 0.2 },
    });
    violin = await addSemantic(service, {
      userId,
      concept: 'violin',
      description: 'an instrument with four strings',
      metadata: { category: 'music', confidence: 0.8 },
    });
    await addEpisodic(service, { userId: stranger, content: 'Heard a violin concert with Ada' });
    await addSemantic(service, { userId: stranger, concept: 'violin', description: 'an instrument' });
  });

  test('finds both, each with its score', async () => {
    const { status, body } = await searchMemory(service, { userId, query: 'violin' });
    expect([status, body.message]).toEqual([200, 'Found 2 memories']);
    expect(body.tools).toEqual(['graphdb', 'vectordb', 'embedder']);
    expect(body.data).toEqual({
      episodic: [
        {
          id: concert.id,
          content: 'Heard a violin concert with Ada',
          timestamp: concert.timestamp,
          relevanceScore: expect.any(Number),
        },
      ],
      semantic: [
        {
          id: violin.id,
          concept: 'violin',
          description: 'an instrument with four strings',
          similarityScore: expect.any(Number),
        },
      ],
    });
    for (const score of [body.data.episodic[0].relevanceScore, body.data.semantic[0].similarityScore]) {
      expect(score).toBeGreaterThanOrEqual(0.7);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  test.each<[object, string[], [number, number]]>([
    [{ type: 'both', query: 'violin' }, ['graphdb', 'vectordb', 'embedder'], [1, 1]],
    [{ type: 'episodic', query: 'violin' }, ['graphdb', 'embedder'], [1, 0]],
    [{ type: 'semantic', query: 'violin' }, ['vectordb', 'embedder'], [0, 1]],
    [{}, ['graphdb', 'vectordb'], [2, 1]],
    [{ type: 'episodic' }, ['graphdb'], [2, 0]],
    [{ type: 'semantic' }, ['vectordb'], [0, 1]],
  ])('%j looks where it is told and tells what it used', async (query, tools, counts) => {
    const { body } = await searchMemory(service, { userId, ...query });
    expect(body.tools).toEqual(tools);
    expect([body.data.episodic.length, body.data.semantic.length]).toEqual(counts);
  });

  test.each<[string, () => object, () => [string[], string[]]]>([
    ['tags of events', () => ({ tags: ['sport'] }), () => [[swim.id], [violin.id]]],
    ['categories of concepts', () => ({ categories: ['x'] }), () => [[swim.id, concert.id], []]],
    ['importance and confidence', () => ({ importance: { min: 0.8 } }), () => [[concert.id], [violin.id]]],
    ['time', () => ({ timeRange: { end: concert.timestamp } }), () => [[concert.id], []]],
    ['time to come', () => ({ timeRange: { start: '2100-01-01T00:00:00Z' } }), () => [[], []]],
  ])('filters by %s, with words and without', async (_, filters, expected) => {
    const [episodic, semantic] = expected();
    const plain = (await searchMemory(service, { userId, filters: filters() })).body.data;
    expect([new Set(idsOf(plain.episodic)), new Set(idsOf(plain.semantic))]).toEqual([
      new Set(episodic),
      new Set(semantic),
    ]);
    const worded = { userId, query: 'violin swimming', threshold: 0, filters: filters() };
    const found = (await searchMemory(service, worded)).body.data;
    expect([new Set(idsOf(found.episodic)), new Set(idsOf(found.semantic))]).toEqual([
      new Set(episodic),
      new Set(semantic),
    ]);
  });

  test('a place and who was there are words of an event too', async () => {
    expect(idsOf((await searchMemory(service, { userId, query: 'Kiel' })).body.data.episodic)).toEqual([
      concert.id,
    ]);
  });

  test('a threshold of its own', async () => {
    const count = async (threshold: number): Promise<number[]> => {
      const { episodic, semantic } = (
        await searchMemory(service, { userId, query: 'violin lake', threshold })
      ).body.data;
      return [episodic.length, semantic.length];
    };
    expect(await count(0)).toEqual([2, 1]);
    expect(await count(1)).toEqual([0, 0]);
  });

  test('the limit is for each kind, and a smaller one gives the first of a larger one', async () => {
    const many = newUser();
    for (let n = 0; n < 6; n += 1) {
      await addEpisodic(service, { userId: many, content: `violin lesson ${'again '.repeat(n)}` });
      await addSemantic(service, {
        userId: many,
        concept: `violin ${n}`,
        description: `lesson ${'more '.repeat(n)}`,
      });
    }
    const search = async (limit: number): Promise<[string[], string[]]> => {
      const { data } = (await searchMemory(service, { userId: many, query: 'violin lesson', limit })).body;
      return [idsOf(data.episodic), idsOf(data.semantic)];
    };
    const [events, concepts] = await search(10);
    expect([events.length, concepts.length]).toEqual([6, 6]);
    expect(await search(10)).toEqual([events, concepts]);
    for (const limit of [1, 4]) {
      expect(await search(limit)).toEqual([events.slice(0, limit), concepts.slice(0, limit)]);
    }
  });

  test('counts as a read of what it finds', async () => {
    const { body } = await getSemantic(service, violin.id);
    await searchMemory(service, { userId, query: 'violin' });
    const after = (await getSemantic(service, violin.id)).body.data.metadata.accessCount;
    expect(after).toBe(body.data.metadata.accessCount + 2);
  });

  test.each([
    'AND',
    '"violin',
    'violin*',
    'concept:violin',
    'NEAR(a b)',
    "'; DROP TABLE memories; --",
    '^',
    '👩‍🚀',
    'it is',
  ])('%s is no operator, and no fault', async (query) => {
    const { status, body } = await searchMemory(service, { userId, query });
    expect(status).toBe(200);
    expect(idsOf([...body.data.episodic, ...body.data.semantic])).toEqual(
      expect.not.arrayContaining([expect.stringContaining(stranger)]),
    );
  });
});

describe("another user's memories", () => {
  test('are in no answer about a user', async () => {
    const [mine, theirs] = [newUser(), newUser()];
    const content = 'the secret word is xylophone';
    await addEpisodic(service, { userId: theirs, sessionId: 'shared', content });
    await addSemantic(service, { userId: theirs, concept: 'secret', description: content });
    await addEpisodic(service, { userId: mine, sessionId: 'shared', content: 'the secret word' });

    const answers = [
      await service.post('/api/memory/episodic/search', { userId: mine, sessionId: 'shared', limit: 100 }),
      await service.post('/api/memory/semantic/search', { userId: mine, query: content, threshold: 0 }),
      await searchMemory(service, { userId: mine, query: content, threshold: 0, limit: 100 }),
      await searchMemory(service, { userId: mine }),
      await service.get(`/api/memory/context/${mine}/shared`),
      await service.get(`/api/memory/stats/${mine}`),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain('xylophone');
    }
    expect(answers[5]?.body.data).toMatchObject({ episodic: { count: 1 }, semantic: { count: 0 } });
  });
});

describe('the context of a conversation', () => {
  test('has the session, the latest first, and what is known of its subject', async () => {
    const userId = newUser();
    const first = await addEpisodic(service, {
      userId,
      content: 'Ada plays the violin',
      metadata: { importance: 0.7 },
    });
    const second = await addEpisodic(service, { userId, content: 'and she sings' });
    const fact = await addSemantic(service, { userId, concept: 'violin', description: 'an instrument' });
    const { status, body } = await service.get(`/api/memory/context/${userId}/session-1`);
    expect([status, body.message]).toEqual([200, 'Memory context retrieved successfully']);
    expect(body.tools).toEqual(['graphdb', 'vectordb', 'embedder']);
    expect(body.data).toEqual({
      userId,
      sessionId: 'session-1',
      episodic: [
        { id: second.id, content: 'and she sings', timestamp: second.timestamp, importance: 0.5 },
        { id: first.id, content: 'Ada plays the violin', timestamp: first.timestamp, importance: 0.7 },
      ],
      semantic: [{ id: fact.id, concept: 'violin', description: 'an instrument', confidence: 0.5 }],
      facts: expect.any(Array),
    });
  });

  test('has what fits of other sessions, and leaves out what does not', async () => {
    const userId = newUser();
    const fitting = await addEpisodic(service, {
      userId,
      sessionId: 'old',
      content: 'Ada broke a string of her violin',
    });
    await addEpisodic(service, { userId, sessionId: 'old', content: 'the weather was fine' });
    const asked = await addEpisodic(service, {
      userId,
      sessionId: 'new',
      content: 'what about the violin of Ada',
    });
    const { body } = await service.get(`/api/memory/context/${userId}/new`);
    expect(idsOf(body.data.episodic)).toEqual([asked.id, fitting.id]);
  });

  test('of a long session still has what fits from elsewhere, within its limit', async () => {
    const userId = newUser();
    const fitting = await addEpisodic(service, {
      userId,
      sessionId: 'old',
      content: 'Ada broke a string of her violin',
    });
    const fact = await addSemantic(service, { userId, concept: 'violin', description: 'an instrument' });
    const session = [];
    for (let n = 0; n < 2 * MAX_IN_CONTEXT; n += 1) {
      session.push(
        await addEpisodic(service, { userId, sessionId: 'new', content: `Ada took her violin, part ${n}` }),
      );
    }
    const { episodic, semantic } = (await service.get(`/api/memory/context/${userId}/new`)).body.data;
    expect(episodic.length + semantic.length).toBe(MAX_IN_CONTEXT);
    expect(idsOf(episodic)).toContain(fitting.id);
    expect(idsOf(semantic)).toEqual([fact.id]);
    const latest = idsOf(session.slice(-(MAX_IN_CONTEXT - 2)).reverse());
    expect(idsOf(episodic).filter((id) => id !== fitting.id)).toEqual(latest);
  });

  test('keeps most of its room for the session', async () => {
    const userId = newUser();
    for (let n = 0; n < MAX_IN_CONTEXT; n += 1) {
      await addSemantic(service, { userId, concept: `violin ${n}`, description: 'an instrument' });
      await addEpisodic(service, { userId, sessionId: 'old', content: `violin lesson ${n}` });
      await addEpisodic(service, { userId, sessionId: 'new', content: `violin concert ${n}` });
    }
    const { episodic, semantic } = (await service.get(`/api/memory/context/${userId}/new`)).body.data;
    const own = episodic.filter(({ content }: { content: string }) => content.includes('concert'));
    expect(own.length).toBe(0.6 * MAX_IN_CONTEXT);
    expect(episodic.length + semantic.length).toBe(MAX_IN_CONTEXT);
  });

  test('of a session that has not begun is what is known of the user', async () => {
    const userId = newUser();
    const fact = await addSemantic(service, { userId });
    await addEpisodic(service, { userId, sessionId: 'old' });
    const { status, body } = await service.get(`/api/memory/context/${userId}/new`);
    expect([status, idsOf(body.data.episodic), idsOf(body.data.semantic)]).toEqual([200, [], [fact.id]]);
  });

  test('of an unknown user is empty', async () => {
    const userId = newUser();
    const { status, body } = await service.get(`/api/memory/context/${userId}/s`);
    expect([status, body.data]).toEqual([
      200,
      { userId, sessionId: 's', episodic: [], semantic: [], facts: [] },
    ]);
  });
});

describe('figures about a user', () => {
  test('count, name the categories and tell the first and last time', async () => {
    const userId = newUser();
    const first = await addEpisodic(service, { userId });
    const last = await addEpisodic(service, { userId });
    for (const category of ['b', 'a', 'b']) await addSemantic(service, { userId, metadata: { category } });
    const { status, body } = await service.get(`/api/memory/stats/${userId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Memory statistics retrieved successfully',
      tools: ['graphdb', 'vectordb'],
      data: {
        episodic: { count: 2, oldest: first.timestamp, newest: last.timestamp },
        semantic: { count: 3, categories: ['a', 'b'] },
      },
    });
  });

  test('of an unknown user are zero', async () => {
    const { status, body } = await service.get(`/api/memory/stats/${newUser()}`);
    expect([status, body.data]).toEqual([
      200,
      { episodic: { count: 0, oldest: null, newest: null }, semantic: { count: 0, categories: [] } },
    ]);
  });
});
