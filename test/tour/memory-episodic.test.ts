import {
  addEpisodic,
  addSemantic,
  getEpisodic,
  idsOf,
  newUser,
  postEpisodic,
  putEpisodic,
  searchEpisodic,
} from '../support/memories';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;

beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

describe('creating', () => {
  test('answers 201 with the whole memory, id and time from the service', async () => {
    const userId = newUser();
    const before = Date.now();
    const sent = {
      userId,
      sessionId: 's',
      content: 'Lunch with Ada at the harbour',
      context: { mood: 'calm', weather: { sky: 'clear', wind: null }, guests: ['Ada', null] },
      metadata: {
        source: 'diary',
        importance: 0.8,
        tags: ['lunch', 'harbour', 'lunch'],
        location: 'Kiel',
        participants: ['Ada'],
        room: { floor: 2 },
      },
    };
    const { status, body } = await postEpisodic(service, sent);
    expect([status, body.success, body.message]).toEqual([201, true, 'Episodic memory created successfully']);
    expect(body.tools).toEqual(['graphdb', 'embedder']);
    expect(body.data).toEqual({
      ...sent,
      id: expect.stringMatching(ULID),
      timestamp: expect.any(String),
      metadata: { ...sent.metadata, tags: ['lunch', 'harbour'] },
      relationships: { related: [] },
    });
    const made = Date.parse(body.data.timestamp);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
    expect((await getEpisodic(service, body.data.id)).body.data).toEqual(body.data);
  });

  test('what is left out has defaults, and the id cannot be chosen', async () => {
    const userId = newUser();
    const { status, body } = await postEpisodic(service, { userId, id: 'mine' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      context: {},
      metadata: { source: 'user', importance: 0.5, tags: [] },
    });
    expect(body.data.id).not.toBe('mine');
  });

  test.each([0, 1])('an importance of %d is one', async (importance) => {
    const { body } = await postEpisodic(service, { userId: newUser(), metadata: { importance } });
    expect(body.data.metadata.importance).toBe(importance);
  });

  test('any text comes back as it was sent', async () => {
    const userId = `użytkownik/${newUser()} 👩‍🚀`;
    const content = 'Ωμέγα 日本語 👩‍👩‍👧 "quoted" \\ \u0000 \n line e\u0301';
    const memory = await addEpisodic(service, {
      userId,
      sessionId: 'sesión/1?#',
      content,
      context: { 'ключ.с точкой': '値' },
      metadata: { tags: ['тег', '標籤'] },
    });
    expect((await getEpisodic(service, memory.id)).body.data).toMatchObject({
      userId,
      sessionId: 'sesión/1?#',
      content,
      context: { 'ключ.с точкой': '値' },
      metadata: { tags: ['тег', '標籤'] },
    });
    expect(idsOf((await searchEpisodic(service, { userId, tags: ['標籤'] })).body.data)).toEqual([memory.id]);
    const context = await service.get(
      `/api/memory/context/${encodeURIComponent(userId)}/${encodeURIComponent('sesión/1?#')}`,
    );
    expect(idsOf(context.body.data.episodic)).toEqual([memory.id]);
  });
});

describe('reading', () => {
  test('tells one memory', async () => {
    const memory = await addEpisodic(service, { userId: newUser() });
    const { status, body } = await getEpisodic(service, memory.id);
    expect([status, body.message, body.tools]).toEqual([
      200,
      'Episodic memory retrieved successfully',
      ['graphdb'],
    ]);
  });

  test('a semantic memory is no episodic one', async () => {
    const { id } = await addSemantic(service, { userId: newUser() });
    for (const answer of [
      await getEpisodic(service, id),
      await putEpisodic(service, id, { content: 'x' }),
      await service.send('DELETE', `/api/memory/episodic/${id}`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await service.get(`/api/memory/semantic/${id}`)).status).toBe(200);
  });
});

describe('changing', () => {
  const whole = {
    content: 'the first content',
    context: { keep: 1, deep: { keep: 2, change: 3, drop: 4 } },
    metadata: {
      source: 'diary',
      importance: 0.2,
      tags: ['a', 'b'],
      location: 'Kiel',
      participants: ['Ada'],
      mine: 1,
    },
  };

  test.each<[string, object, object]>([
    ['a content', { content: 'another' }, { ...whole, content: 'another' }],
    ['an empty body', {}, whole],
    [
      'some metadata',
      { metadata: { importance: 0.9 } },
      { ...whole, metadata: { ...whole.metadata, importance: 0.9 } },
    ],
    [
      'part of a context, deep',
      { context: { deep: { change: [5], drop: null }, added: { x: 1 } } },
      { ...whole, context: { keep: 1, deep: { keep: 2, change: [5] }, added: { x: 1 } } },
    ],
    [
      'optional metadata taken away',
      { metadata: { location: null, participants: null, mine: null } },
      { ...whole, metadata: { source: 'diary', importance: 0.2, tags: ['a', 'b'] } },
    ],
    [
      'tags, which are replaced',
      { metadata: { tags: ['c'] } },
      { ...whole, metadata: { ...whole.metadata, tags: ['c'] } },
    ],
    ['tags to none', { metadata: { tags: [] } }, { ...whole, metadata: { ...whole.metadata, tags: [] } }],
  ])('%s: the rest stays', async (_, patch, expected) => {
    const memory = await addEpisodic(service, { userId: newUser(), ...whole });
    const { status, body } = await putEpisodic(service, memory.id, patch);
    expect([status, body.message]).toEqual([200, 'Episodic memory updated successfully']);
    expect(body.data).toEqual({ ...memory, ...expected });
    expect((await getEpisodic(service, memory.id)).body.data).toEqual(body.data);
  });

  test.each([['id'], ['userId'], ['sessionId'], ['timestamp']])(
    '%s stays: another one is refused',
    async (field) => {
      const memory = await addEpisodic(service, { userId: newUser() });
      const sent = { content: 'changed', [field]: '2001-01-01T00:00:00.000Z' };
      const { status, body } = await putEpisodic(service, memory.id, sent);
      expect([status, body.details.field]).toEqual([400, field]);
      expect((await getEpisodic(service, memory.id)).body.data).toEqual(memory);
    },
  );

  test('what was read can be sent back', async () => {
    const userId = newUser();
    const memories = [];
    for (let n = 0; n < 3; n += 1) memories.push(await addEpisodic(service, { userId, ...whole }));
    const { data } = (await getEpisodic(service, memories[1].id)).body;
    expect((await putEpisodic(service, data.id, data)).body.data).toEqual(data);
    // Some clients write times in another form.
    const timestamp = data.timestamp.replace('Z', '+00:00');
    expect((await putEpisodic(service, data.id, { ...data, timestamp })).body.data).toEqual(data);
  });

  test.each<[object, string[]]>([
    [{ content: 'x' }, ['graphdb', 'embedder']],
    [{ metadata: { location: 'Rome' } }, ['graphdb', 'embedder']],
    [{ metadata: { participants: ['Bob'] } }, ['graphdb', 'embedder']],
    [{ metadata: { importance: 0.1 } }, ['graphdb']],
    [{ context: { subject: 'a boat' } }, ['graphdb', 'embedder']],
  ])('%j tells what it used', async (patch, tools) => {
    const { id } = await addEpisodic(service, { userId: newUser() });
    expect((await putEpisodic(service, id, patch)).body.tools).toEqual(tools);
  });

  test('is found by its new words and not by its old ones', async () => {
    const userId = newUser();
    const { id } = await addEpisodic(service, { userId, content: 'a zeppelin over the lake' });
    await putEpisodic(service, id, { content: 'a submarine under the ice' });
    const found = async (query: string): Promise<string[]> =>
      idsOf((await service.post('/api/memory/search', { userId, query })).body.data.episodic);
    expect(await found('submarine')).toEqual([id]);
    expect(await found('zeppelin')).toEqual([]);
  });

  test('at once by many: nothing of different fields is lost', async () => {
    const memory = await addEpisodic(service, { userId: newUser() });
    const names = Array.from({ length: 40 }, (_, n) => `field${n}`);
    const answers = await Promise.all(
      names.map((name) => putEpisodic(service, memory.id, { context: { [name]: true } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { context } = (await getEpisodic(service, memory.id)).body.data;
    expect(Object.keys(context).sort()).toEqual([...names].sort());
  });
});

describe('deleting', () => {
  test('tells so once, and the memory is gone everywhere', async () => {
    const userId = newUser();
    const { id } = await addEpisodic(service, { userId, content: 'a zeppelin' });
    const { status, body } = await service.send('DELETE', `/api/memory/episodic/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: { deleted: true },
      message: 'Episodic memory deleted successfully',
      tools: ['graphdb'],
    });
    expect((await getEpisodic(service, id)).status).toBe(404);
    expect((await service.send('DELETE', `/api/memory/episodic/${id}`)).status).toBe(404);
    expect((await searchEpisodic(service, { userId })).body.data).toEqual([]);
    const found = await service.post('/api/memory/search', { userId, query: 'zeppelin' });
    expect(found.body.data.episodic).toEqual([]);
  });
});

describe('searching by conditions', () => {
  const userId = newUser();
  const memories: { id: string; timestamp: string }[] = [];

  beforeAll(async () => {
    for (const [at, fields] of [
      { sessionId: 'one', metadata: { tags: ['red'], importance: 0.1 } },
      { sessionId: 'one', metadata: { tags: ['red', 'blue'], importance: 0.5 } },
      { sessionId: 'two', metadata: { tags: ['blue'], importance: 0.9 } },
      { sessionId: 'two', metadata: { tags: [], importance: 1 } },
    ].entries()) {
      memories.push(await addEpisodic(service, { userId, content: `memory ${at}`, ...fields }));
      // Memories of equal times are ordered by id, and this test needs a known order.
      await tick(memories[at]?.timestamp);
    }
    await addEpisodic(service, { userId: newUser(), sessionId: 'one', metadata: { tags: ['red'] } });
  });

  const time = (index: number): string => memories[index]?.timestamp ?? '';

  test.each<[string, () => object, number[]]>([
    ['nothing but the user', () => ({}), [3, 2, 1, 0]],
    ['a limit', () => ({ limit: 2 }), [3, 2]],
    ['a session', () => ({ sessionId: 'one' }), [1, 0]],
    ['an unknown session', () => ({ sessionId: 'none' }), []],
    ['a tag', () => ({ tags: ['red'] }), [1, 0]],
    ['any of two tags', () => ({ tags: ['red', 'blue'] }), [2, 1, 0]],
    ['a tag in other letters', () => ({ tags: ['RED'] }), []],
    ['no tag at all', () => ({ tags: [] }), []],
    ['a least importance', () => ({ importance: { min: 0.5 } }), [3, 2, 1]],
    ['a most importance', () => ({ importance: { max: 0.5 } }), [1, 0]],
    ['one importance', () => ({ importance: { min: 0.9, max: 0.9 } }), [2]],
    ['a start, itself included', () => ({ timeRange: { start: time(1) } }), [3, 2, 1]],
    ['an end, itself included', () => ({ timeRange: { end: time(1) } }), [1, 0]],
    ['both', () => ({ timeRange: { start: time(1), end: time(2) } }), [2, 1]],
    ['a time in another zone', () => ({ timeRange: { start: inZone(time(2)) } }), [3, 2]],
    [
      'all together',
      () => ({ sessionId: 'one', tags: ['blue'], importance: { min: 0.4 }, timeRange: { start: time(0) } }),
      [1],
    ],
  ])('%s', async (_, query, expected) => {
    const { status, body } = await searchEpisodic(service, { userId, ...query() });
    expect(status).toBe(200);
    expect(idsOf(body.data)).toEqual(expected.map((index) => memories[index]?.id));
    expect(body.message).toBe(`Found ${expected.length} episodic memories`);
    expect(body.tools).toEqual(['graphdb']);
  });

  test('answers whole memories', async () => {
    const { body } = await searchEpisodic(service, { userId, sessionId: 'two', limit: 1 });
    expect(body.data).toEqual([(await getEpisodic(service, memories[3]?.id ?? '')).body.data]);
  });

  test('answers ten where no limit is given', async () => {
    const many = newUser();
    await Promise.all(Array.from({ length: 12 }, () => addEpisodic(service, { userId: many })));
    expect((await searchEpisodic(service, { userId: many })).body.message).toBe('Found 10 episodic memories');
  });
});

/** The same moment in a time zone two hours east. */
function inZone(time: string): string {
  return new Date(Date.parse(time) + 7_200_000).toISOString().replace('Z', '+02:00');
}

/** Waits until the clock has left the millisecond of this time. */
async function tick(time = ''): Promise<void> {
  while (Date.now() <= Date.parse(time)) await new Promise(setImmediate);
}
