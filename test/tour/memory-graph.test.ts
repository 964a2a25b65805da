import {
  addEpisodic,
  addSemantic,
  chainOf,
  getEpisodic,
  getSemantic,
  idsOf,
  newUser,
  postEpisodic,
  postSemantic,
  putEpisodic,
  putSemantic,
} from '../support/memories';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;

beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

/** Ids of some memories of one session, in the order of their creation. */
async function session(userId: string, length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < length; n += 1) {
    ids.push((await addEpisodic(service, { userId, content: `memory ${n}` })).id);
  }
  return ids;
}

function related(id: string, query = '') {
  return service.get(`/api/memory/related/${id}${query}`);
}

describe('the order of a session', () => {
  test('is that of arrival', async () => {
    const ids = await session(newUser(), 4);
    expect(await chainOf(service, ids[2] ?? '')).toEqual(ids);
  });

  test.each<[string, (ids: string[]) => object, (ids: string[], id: string) => string[]]>([
    ['behind one', ([a]) => ({ previous: a }), ([a, b, c], id) => [a, id, b, c] as string[]],
    ['before one', ([, b]) => ({ next: b }), ([a, b, c], id) => [a, id, b, c] as string[]],
    ['before the first', ([a]) => ({ next: a }), (ids, id) => [id, ...ids]],
    ['behind the last', ([, , c]) => ({ previous: c }), (ids, id) => [...ids, id]],
    ['between two', ([, b, c]) => ({ previous: b, next: c }), ([a, b, c], id) => [a, b, id, c] as string[]],
    ['nowhere in particular', () => ({ previous: null, next: null }), (ids, id) => [...ids, id]],
  ])('a memory goes %s', async (_, relationships, expected) => {
    const userId = newUser();
    const ids = await session(userId, 3);
    const { id } = await addEpisodic(service, { userId, relationships: relationships(ids) });
    expect(await chainOf(service, id)).toEqual(expected(ids, id));
  });

  test('closes where a memory is deleted', async () => {
    const ids = await session(newUser(), 3);
    await service.send('DELETE', `/api/memory/episodic/${ids[1]}`);
    expect(await chainOf(service, ids[0] ?? '')).toEqual([ids[0], ids[2]]);
    await service.send('DELETE', `/api/memory/episodic/${ids[2]}`);
    expect(await chainOf(service, ids[0] ?? '')).toEqual([ids[0]]);
  });

  test('changes where a memory is moved, and for no other change', async () => {
    const ids = await session(newUser(), 4);
    const [a = '', b = '', c = '', d = ''] = ids;
    await putEpisodic(service, b, { content: 'changed' });
    expect(await chainOf(service, a)).toEqual(ids);
    const { status, body } = await putEpisodic(service, a, { relationships: { previous: c } });
    expect(status).toBe(200);
    expect(body.data.relationships).toEqual({ previous: c, next: d, related: [] });
    expect(await chainOf(service, a)).toEqual([b, c, a, d]);
  });

  test('is its own in each session and for each user', async () => {
    const [userId, other] = [newUser(), newUser()];
    const one = await addEpisodic(service, { userId, sessionId: 'one' });
    const two = await addEpisodic(service, { userId, sessionId: 'two' });
    const theirs = await addEpisodic(service, { userId: other, sessionId: 'one' });
    for (const { id } of [one, two, theirs]) expect(await chainOf(service, id)).toEqual([id]);
  });

  test('is right after 200 writers at once, and nothing is lost', async () => {
    const userId = newUser();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => postEpisodic(service, { userId, content: `memory ${n}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const chain = await chainOf(service, answers[0]?.body.data.id);
    expect(new Set(chain)).toEqual(new Set(answers.map(({ body }) => body.data.id)));
    expect(chain.length).toBe(200);
  });

  test('is right after writers, movers and deleters at once', async () => {
    const userId = newUser();
    const ids = await session(userId, 30);
    const [deleted, kept] = [ids.slice(0, 10), ids.slice(10)];
    const answers = await Promise.all([
      ...deleted.map((id) => service.send('DELETE', `/api/memory/episodic/${id}`)),
      ...kept.slice(0, 10).map((id) => putEpisodic(service, id, { relationships: { next: ids[29] } })),
      ...Array.from({ length: 10 }, () =>
        postEpisodic(service, { userId, relationships: { previous: ids[29] } }),
      ),
    ]);
    expect(answers.filter(({ status }) => status >= 400).map(({ text }) => text)).toEqual([]);
    const added = answers.slice(20).map(({ body }) => body.data.id);
    const chain = await chainOf(service, ids[29] ?? '');
    expect([...chain].sort()).toEqual([...kept, ...added].sort());
  });
});

describe('relations', () => {
  test('of an event go both ways, to events and concepts', async () => {
    const userId = newUser();
    const event = await addEpisodic(service, { userId, sessionId: 'other' });
    const concept = await addSemantic(service, { userId });
    const { id, relationships } = await addEpisodic(service, {
      userId,
      relationships: { related: [event.id, concept.id, event.id] },
    });
    expect(relationships).toEqual({ related: [event.id, concept.id].sort() });
    expect((await getEpisodic(service, event.id)).body.data.relationships).toEqual({ related: [id] });
    expect((await getSemantic(service, concept.id)).body.data.relationships.related).toEqual([id]);
  });

  test('of concepts: similar, parent and children', async () => {
    const userId = newUser();
    const [animal, cat, dog, wolf] = [
      await addSemantic(service, { userId, concept: 'animal' }),
      await addSemantic(service, { userId, concept: 'cat' }),
      await addSemantic(service, { userId, concept: 'dog' }),
      await addSemantic(service, { userId, concept: 'wolf' }),
    ];
    const { body } = await putSemantic(service, dog.id, {
      relationships: { parent: animal.id, similar: [wolf.id] },
    });
    expect(body.data.relationships).toEqual({
      parent: animal.id,
      similar: [wolf.id],
      children: [],
      related: [],
    });
    await putSemantic(service, animal.id, { relationships: { children: [dog.id, cat.id] } });
    const relationsOf = async ({ id }: { id: string }) =>
      (await getSemantic(service, id)).body.data.relationships;
    expect((await relationsOf(animal)).children).toEqual([cat.id, dog.id].sort());
    expect((await relationsOf(cat)).parent).toBe(animal.id);
    expect((await relationsOf(wolf)).similar).toEqual([dog.id]);
  });

  test('a change of some kinds leaves the others, and null takes the parent away', async () => {
    const userId = newUser();
    const [parent, similar, child, memory] = [
      await addSemantic(service, { userId }),
      await addSemantic(service, { userId }),
      await addSemantic(service, { userId }),
      await addSemantic(service, { userId }),
    ];
    const event = await addEpisodic(service, { userId, relationships: { related: [memory.id] } });
    const all = { parent: parent.id, similar: [similar.id], children: [child.id], related: [event.id] };
    const put = async (relationships: object) =>
      (await putSemantic(service, memory.id, { relationships })).body.data.relationships;
    expect(await put({ parent: parent.id, similar: [similar.id], children: [child.id] })).toEqual(all);
    expect(await put({})).toEqual(all);
    expect(await put({ similar: [] })).toEqual({ ...all, similar: [] });
    expect(await put({ parent: null })).toEqual({ similar: [], children: [child.id], related: [event.id] });
    expect(await put({ related: [], children: [] })).toEqual({ similar: [], children: [], related: [] });
    expect((await getEpisodic(service, event.id)).body.data.relationships).toEqual({ related: [] });
  });

  test('end with either of their memories', async () => {
    const userId = newUser();
    const one = await addEpisodic(service, { userId });
    const other = await addSemantic(service, { userId, relationships: { related: [one.id] } });
    await service.send('DELETE', `/api/memory/semantic/${other.id}`);
    expect((await getEpisodic(service, one.id)).body.data.relationships).toEqual({ related: [] });
    expect((await related(one.id)).body.data).toEqual({ episodic: [], semantic: [], total: 0 });
  });
});

describe('a relation that cannot be is refused, and nothing is written', () => {
  const userId = newUser();
  let event: string;
  let elsewhere: string;
  let concept: string;
  let theirEvent: string;
  let theirConcept: string;

  beforeAll(async () => {
    const other = newUser();
    event = (await addEpisodic(service, { userId })).id;
    elsewhere = (await addEpisodic(service, { userId, sessionId: 'elsewhere' })).id;
    concept = (await addSemantic(service, { userId })).id;
    theirEvent = (await addEpisodic(service, { userId: other })).id;
    theirConcept = (await addSemantic(service, { userId: other })).id;
  });

  test.each<[string, () => object, string]>([
    ["another user's event behind", () => ({ previous: theirEvent }), 'previous'],
    ["another user's event before", () => ({ next: theirEvent }), 'next'],
    ["another user's event", () => ({ related: [theirEvent] }), 'related'],
    ["another user's concept", () => ({ related: [concept, theirConcept] }), 'related'],
    ['an unknown memory', () => ({ related: ['01ARZ3NDEKTSV4RRFFQ69G5FAV'] }), 'related'],
    ['an unknown place', () => ({ previous: 'x' }), 'previous'],
    ['a place in another session', () => ({ previous: elsewhere }), 'previous'],
    ['a place at a concept', () => ({ next: concept }), 'next'],
  ])('of an event: %s', async (_, relationships, field) => {
    const { status, body } = await postEpisodic(service, { userId, relationships: relationships() });
    expect([status, body.error]).toEqual([400, 'Validation error']);
    expect(body.details).toEqual({ field: `relationships.${field}`, message: expect.any(String) });
    const put = await putEpisodic(service, event, { content: 'x', relationships: relationships() });
    expect([put.status, put.body.details.field]).toEqual([400, `relationships.${field}`]);
    expect((await getEpisodic(service, event)).body.data.content).not.toBe('x');
    expect((await service.get(`/api/memory/stats/${userId}`)).body.data.episodic.count).toBe(2);
  });

  test.each<[string, () => object, string]>([
    ["another user's parent", () => ({ parent: theirConcept }), 'parent'],
    ["another user's child", () => ({ children: [theirConcept] }), 'children'],
    ["another user's like", () => ({ similar: [theirConcept] }), 'similar'],
    ["another user's event", () => ({ related: [theirEvent] }), 'related'],
    ['an event as parent', () => ({ parent: event }), 'parent'],
    ['an event as similar', () => ({ similar: [event] }), 'similar'],
  ])('of a concept: %s', async (_, relationships, field) => {
    const { status, body } = await postSemantic(service, { userId, relationships: relationships() });
    expect([status, body.details?.field]).toEqual([400, `relationships.${field}`]);
    const put = await putSemantic(service, concept, { description: 'x', relationships: relationships() });
    expect([put.status, put.body.details.field]).toEqual([400, `relationships.${field}`]);
    expect((await service.get(`/api/memory/stats/${userId}`)).body.data.semantic.count).toBe(1);
  });

  test('a memory to itself, and parents in a circle', async () => {
    const own = await addSemantic(service, { userId: newUser() });
    const child = await addSemantic(service, { userId: own.userId, relationships: { parent: own.id } });
    for (const [relationships, field] of [
      [{ similar: [own.id] }, 'similar'],
      [{ parent: own.id }, 'parent'],
      [{ parent: child.id }, 'parent'],
    ] as const) {
      const { status, body } = await putSemantic(service, own.id, { relationships });
      expect([status, body.details?.field]).toEqual([400, `relationships.${field}`]);
    }
  });
});

describe('what a memory is related to', () => {
  test('is told with what each is to it, and can be asked for by that', async () => {
    const userId = newUser();
    const [before = '', middle = '', after = ''] = await session(userId, 3);
    const concept = await addSemantic(service, { userId, concept: 'park', description: 'a place' });
    const other = await addEpisodic(service, { userId, sessionId: 'other', content: 'elsewhere' });
    await putEpisodic(service, middle, { relationships: { related: [concept.id, other.id] } });

    const { status, body } = await related(middle);
    expect([status, body.message, body.tools]).toEqual([
      200,
      'Related memories retrieved successfully',
      ['graphdb', 'vectordb'],
    ]);
    const event = (id: string, content: string, relationship: string): object => {
      return { id, content, timestamp: expect.any(String), relationship };
    };
    expect(body.data).toEqual({
      episodic: [
        event(before, 'memory 0', 'previous'),
        event(after, 'memory 2', 'next'),
        event(other.id, 'elsewhere', 'related'),
      ],
      semantic: [{ id: concept.id, concept: 'park', description: 'a place', relationship: 'related' }],
      total: 4,
    });

    for (const [type, episodic, semantic] of [
      ['previous', [before], []],
      ['next', [after], []],
      ['related', [other.id], [concept.id]],
      ['parent', [], []],
    ] as const) {
      const { data } = (await related(middle, `?relationshipType=${type}`)).body;
      expect([idsOf(data.episodic), idsOf(data.semantic)]).toEqual([episodic, semantic]);
    }
  });

  test('is told page by page', async () => {
    const userId = newUser();
    const parent = await addSemantic(service, { userId });
    const children: string[] = [];
    for (let n = 0; n < 5; n += 1)
      children.push((await addSemantic(service, { userId, relationships: { parent: parent.id } })).id);
    const pageOf = async (query: string) => {
      const { semantic, total } = (await related(parent.id, query)).body.data;
      return [idsOf(semantic), total];
    };
    expect(await pageOf('?limit=2')).toEqual([children.slice(0, 2), 5]);
    expect(await pageOf('?limit=2&offset=4')).toEqual([children.slice(4), 5]);
    expect(await pageOf('?relationshipType=similar')).toEqual([[], 0]);
    for (const query of ['?limit=0', '?limit=101', '?offset=-1'])
      expect([query, (await related(parent.id, query)).status]).toEqual([query, 400]);
  });

  test('tells the direction', async () => {
    const userId = newUser();
    const parent = await addSemantic(service, { userId });
    const child = await addSemantic(service, { userId, relationships: { parent: parent.id } });
    expect((await related(child.id)).body.data.semantic).toMatchObject([
      { id: parent.id, relationship: 'parent' },
    ]);
    expect((await related(parent.id)).body.data.semantic).toMatchObject([
      { id: child.id, relationship: 'child' },
    ]);
  });

  test('an unknown memory has none, and an unknown relationship is refused', async () => {
    expect((await related('01ARZ3NDEKTSV4RRFFQ69G5FAV')).body.error).toBe('Memory not found');
    const { id } = await addEpisodic(service, { userId: newUser() });
    const { status, body } = await related(id, '?relationshipType=cousin');
    expect([status, body.error, body.details.field]).toEqual([400, 'Validation error', 'relationshipType']);
  });
});
