import {
  LEXICAL,
  addEpisodic,
  addSemantic,
  getSemantic,
  idsOf,
  newUser,
  postSemantic,
  putSemantic,
  searchSemantic,
} from '../support/memories';
import { type SharedService, startService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;

beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

/** Expects that a time, ISO 8601, lies between `before`, milliseconds, and now. */
function expectBetween(before: number, time: string): void {
  expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
}

describe('creating', () => {
  test('answers 201 with the whole memory', async () => {
    const sent = {
      userId: newUser(),
      concept: 'Photosynthesis',
      description: 'How plants make sugar of light',
      metadata: { category: 'biology', confidence: 0.9, source: 'school', page: { from: 3 } },
    };
    const before = Date.now();
    const { status, body } = await postSemantic(service, sent);
    expect([status, body.success, body.message]).toEqual([201, true, 'Semantic memory created successfully']);
    expect(body.tools).toEqual(['vectordb', 'embedder']);
    expect(body.data).toEqual({
      ...sent,
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      metadata: { ...sent.metadata, accessCount: 0, lastAccessed: expect.any(String) },
      relationships: { similar: [], children: [], related: [] },
    });
    expectBetween(before, body.data.metadata.lastAccessed);
  });

  test('what is left out has defaults', async () => {
    const memory = await addSemantic(service, { userId: newUser() });
    expect(memory.metadata).toMatchObject({ category: 'general', confidence: 0.5, source: 'user' });
  });

  test('reads may have been counted elsewhere before', async () => {
    const lastAccessed = '2020-02-03T04:05:06.000Z';
    const memory = await addSemantic(service, {
      userId: newUser(),
      metadata: { accessCount: 7, lastAccessed },
    });
    expect(memory.metadata).toMatchObject({ accessCount: 7, lastAccessed });
  });
});

describe('reading', () => {
  test('tells one memory', async () => {
    const memory = await addSemantic(service, { userId: newUser() });
    const { status, body } = await getSemantic(service, memory.id);
    expect([status, body.message, body.tools]).toEqual([
      200,
      'Semantic memory retrieved successfully',
      ['vectordb'],
    ]);
    expect(body.data).toEqual({ ...memory, metadata: { ...memory.metadata, ...body.data.metadata } });
  });

  test('is counted, by id and by search', async () => {
    const userId = newUser();
    const made = await addSemantic(service, { userId, concept: 'zeppelin' });
    const counts = [];
    for (let n = 0; n < 3; n += 1)
      counts.push((await getSemantic(service, made.id)).body.data.metadata.accessCount);
    const [found] = (await searchSemantic(service, { userId, query: 'zeppelin' })).body.data;
    expect([...counts, found.metadata.accessCount]).toEqual([1, 2, 3, 4]);
    expect(Date.parse(found.metadata.lastAccessed)).toBeGreaterThanOrEqual(
      Date.parse(made.metadata.lastAccessed),
    );
  });

  test('an episodic memory is no semantic one', async () => {
    const { id } = await addEpisodic(service, { userId: newUser() });
    for (const answer of [
      await getSemantic(service, id),
      await putSemantic(service, id, { description: 'x' }),
      await service.send('DELETE', `/api/memory/semantic/${id}`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await service.get(`/api/memory/episodic/${id}`)).status).toBe(200);
  });
});

describe('changing', () => {
  const whole = {
    concept: 'Photosynthesis',
    description: 'How plants make sugar of light',
    metadata: { category: 'biology', confidence: 0.9, source: 'school', deep: { keep: 1, drop: 2 } },
  };
  const settled = { accessCount: 0, lastAccessed: expect.any(String) };

  test.each<[string, object, object]>([
    ['a description', { description: 'another' }, { ...whole, description: 'another' }],
    ['a concept', { concept: 'another' }, { ...whole, concept: 'another' }],
    ['an empty body', {}, whole],
    [
      'some metadata, deep',
      { metadata: { confidence: 0.1, deep: { drop: null, added: 3 } } },
      { ...whole, metadata: { ...whole.metadata, confidence: 0.1, deep: { keep: 1, added: 3 } } },
    ],
    [
      'a category',
      { metadata: { category: 'x' } },
      { ...whole, metadata: { ...whole.metadata, category: 'x' } },
    ],
    [
      'metadata taken away',
      { metadata: { deep: null } },
      { ...whole, metadata: { category: 'biology', confidence: 0.9, source: 'school' } },
    ],
  ])('%s: the rest stays', async (_, patch, expected) => {
    const memory = await addSemantic(service, { userId: newUser(), ...whole });
    const { status, body } = await putSemantic(service, memory.id, patch);
    expect([status, body.message, body.tools]).toEqual([
      200,
      'Semantic memory updated successfully',
      ['vectordb', 'embedder'],
    ]);
    const { metadata, ...rest } = { ...memory, ...expected };
    expect(body.data).toEqual({ ...rest, metadata: { ...metadata, ...settled } });
  });

  test('what was read can be sent back', async () => {
    const { id } = await addSemantic(service, { userId: newUser(), ...whole });
    const { data } = (await getSemantic(service, id)).body;
    expect((await putSemantic(service, id, data)).body.data).toEqual(data);
    const other = await putSemantic(service, id, { ...data, userId: newUser() });
    expect([other.status, other.body.details.field]).toEqual([400, 'userId']);
  });

  test('the count of reads can be set, and reads go on from there', async () => {
    const { id } = await addSemantic(service, { userId: newUser() });
    for (let n = 0; n < 3; n += 1) await getSemantic(service, id);
    const set = await putSemantic(service, id, { metadata: { accessCount: 5 } });
    expect(set.body.data.metadata.accessCount).toBe(5);
    expect((await getSemantic(service, id)).body.data.metadata.accessCount).toBe(6);
    expect((await getSemantic(service, id)).body.data.metadata.accessCount).toBe(7);
  });

  test('the time of the last read can be set to any, and the next read replaces it', async () => {
    const { id } = await addSemantic(service, { userId: newUser() });
    await getSemantic(service, id);
    for (const lastAccessed of ['2001-02-03T04:05:06.000Z', '2101-02-03T04:05:06.000Z']) {
      const set = await putSemantic(service, id, { metadata: { lastAccessed } });
      expect(set.body.data.metadata.lastAccessed).toBe(lastAccessed);
      const { confidence } = (await putSemantic(service, id, { metadata: { confidence: 0.2 } })).body.data
        .metadata;
      expect(confidence).toBe(0.2);
      const before = Date.now();
      expectBetween(before, (await getSemantic(service, id)).body.data.metadata.lastAccessed);
    }
  });

  test('at once by many: nothing of different fields is lost', async () => {
    const { id } = await addSemantic(service, { userId: newUser() });
    const names = Array.from({ length: 40 }, (_, n) => `field${n}`);
    const answers = await Promise.all(
      names.map((name) => putSemantic(service, id, { metadata: { [name]: name } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await getSemantic(service, id)).body.data.metadata)).toEqual(
      expect.arrayContaining(names),
    );
  });
});

describe('deleting', () => {
  test('tells so once, and the memory is gone everywhere', async () => {
    const userId = newUser();
    const { id } = await addSemantic(service, { userId, concept: 'zeppelin' });
    const { status, body } = await service.send('DELETE', `/api/memory/semantic/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: { deleted: true },
      message: 'Semantic memory deleted successfully',
      tools: ['vectordb'],
    });
    expect((await getSemantic(service, id)).status).toBe(404);
    expect((await service.send('DELETE', `/api/memory/semantic/${id}`)).status).toBe(404);
    expect((await searchSemantic(service, { userId, query: 'zeppelin' })).body.data).toEqual([]);
  });
});

describe('searching', () => {
  const userId = newUser();
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    for (const [concept, description, category] of [
      ['Ada', 'plays the violin in an orchestra', 'people'],
      ['violin', 'a wooden instrument with four strings, played with a bow', 'music'],
      ['orchestra', 'many musicians who play together', 'music'],
      ['harbour', 'where ships lie', 'places'],
    ]) {
      const { id } = await addSemantic(service, { userId, concept, description, metadata: { category } });
      ids[concept ?? ''] = id;
    }
    await addSemantic(service, {
      userId: newUser(),
      concept: 'violin',
      description: "another user's violin",
    });
  });

  test('answers whole memories with a score, the most similar first, and their number', async () => {
    const { status, body } = await searchSemantic(service, {
      userId,
      query: 'violin orchestra',
      threshold: 0.1,
    });
    expect(status).toBe(200);
    expect(body.message).toBe(`Found ${body.data.length} semantic memories`);
    expect(body.tools).toEqual(['vectordb', 'embedder']);
    expect(body.data[0]).toEqual({
      id: ids['Ada'],
      userId,
      concept: 'Ada',
      description: 'plays the violin in an orchestra',
      metadata: expect.objectContaining({ category: 'people', confidence: 0.5 }),
      relationships: { similar: [], children: [], related: [] },
      similarityScore: expect.any(Number),
    });
    expect(new Set(idsOf(body.data))).toEqual(new Set([ids['Ada'], ids['violin'], ids['orchestra']]));
    const scores = body.data.map(({ similarityScore }: { similarityScore: number }) => similarityScore);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.1);
  });

  test('without a threshold, only what is 0.7 similar', async () => {
    const query = { userId, query: 'violin orchestra' };
    const { body } = await searchSemantic(service, query);
    expect(idsOf(body.data)).toEqual([ids['Ada']]);
    expect((await searchSemantic(service, { ...query, threshold: 0.7 })).body.data.length).toBe(1);
    expect((await searchSemantic(service, { ...query, threshold: 0 })).body.data.length).toBe(4);
    expect((await searchSemantic(service, { ...query, threshold: 1 })).body.message).toBe(
      'Found 0 semantic memories',
    );
  });

  test('a smaller limit gives the first of a larger one, and asking again the same', async () => {
    const search = async (limit: number): Promise<string[]> =>
      idsOf(
        (await searchSemantic(service, { userId, query: 'violin music', threshold: 0, limit })).body.data,
      );
    const all = await search(10);
    expect(all.length).toBe(4);
    expect(await search(10)).toEqual(all);
    for (const limit of [1, 2, 3]) expect(await search(limit)).toEqual(all.slice(0, limit));
  });

  test.each<[string[], string[]]>([
    [['music'], ['violin']],
    [
      ['music', 'people'],
      ['Ada', 'violin'],
    ],
    [['none'], []],
  ])('in the categories %j', async (categories, expected) => {
    const { body } = await searchSemantic(service, { userId, query: 'violin', filters: { categories } });
    expect(new Set(idsOf(body.data))).toEqual(new Set(expected.map((concept) => ids[concept])));
  });

  test('of a user without memories finds nothing', async () => {
    const { status, body } = await searchSemantic(service, { userId: newUser(), query: 'violin' });
    expect([status, body.message, body.data]).toEqual([200, 'Found 0 semantic memories', []]);
  });
});

test('MEMORY_SIMILARITY_THRESHOLD is the threshold of a search that names none', async () => {
  const lenient = await startService({ ...LEXICAL, MEMORY_SIMILARITY_THRESHOLD: '0.1' });
  try {
    const userId = newUser();
    await addSemantic(lenient, { userId, concept: 'violin', description: 'an instrument' });
    const query = { userId, query: 'violin orchestra' };
    expect((await searchSemantic(lenient, query)).body.data.length).toBe(1);
    expect((await searchSemantic(lenient, { ...query, threshold: 0.7 })).body.data.length).toBe(0);
  } finally {
    await lenient.stop();
  }
});
