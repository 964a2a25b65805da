import { type Answer, request } from '../support/http';
import {
  LEXICAL,
  addEpisodic,
  addSemantic,
  getEpisodic,
  getSemantic,
  newUser,
  postEpisodic,
  postSemantic,
  putEpisodic,
  putSemantic,
  searchEpisodic,
  searchMemory,
  searchSemantic,
} from '../support/memories';
import { type Service, startService } from '../support/service';

const LIMITS = { MEMORY_MAX_CONTENT_LENGTH: '500', MEMORY_MAX_RESULTS: '20', MEMORY_MAX_PER_USER: '3' };
const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

let service: Service;

beforeAll(async () => {
  service = await startService({ ...LEXICAL, ...LIMITS });
});
afterAll(() => service.stop());

function expectInvalid({ status, body }: Answer, field: string): void {
  expect([status, body]).toMatchObject([
    400,
    {
      success: false,
      error: 'Validation error',
      message: expect.any(String),
      details: { field, message: expect.any(String) },
    },
  ]);
}

describe('a memory that is not there', () => {
  test.each(['GET', 'PUT', 'DELETE'])('%s is a 404 for any id that there may be', async (method) => {
    for (const kind of ['episodic', 'semantic']) {
      for (const id of [UNKNOWN, 'x', "' OR 1=1", '日本', '%00', '..%2F..', 'a'.repeat(200)]) {
        const body = method === 'PUT' ? {} : undefined;
        const answer = await service.send(method, `/api/memory/${kind}/${id}`, body);
        expect([id, answer.status, answer.body]).toMatchObject([
          id,
          404,
          {
            success: false,
            error: 'Memory not found',
            message: expect.stringContaining('There is no memory'),
          },
        ]);
      }
    }
  });

  test('has no related ones', async () => {
    const { status, body } = await service.get(`/api/memory/related/${UNKNOWN}`);
    expect([status, body.error]).toEqual([404, 'Memory not found']);
  });

  test('what is no id at all is refused', async () => {
    for (const kind of ['episodic', 'semantic']) {
      expectInvalid(await service.get(`/api/memory/${kind}/${'a'.repeat(201)}`), 'id');
    }
    expectInvalid(await service.get(`/api/memory/related/${'a'.repeat(201)}`), 'memoryId');
  });

  test('and an empty id is another path', async () => {
    expect((await service.get('/api/memory/episodic/')).status).toBe(405);
    expect((await service.get('/api/memory/related/')).status).toBe(404);
  });
});

const NO_TEXT: readonly unknown[] = [undefined, null, '', ' \n\t ', 5, ['a'], {}, 'a'.repeat(501)];
const NO_NAME: readonly unknown[] = [undefined, null, '', 5, {}, 'a'.repeat(201), 'a\u0000b', 'a\nb'];
const NO_SCORE: readonly unknown[] = [-0.001, 1.001, '0.5', true, {}, 1e300];
const NO_LIMIT: readonly unknown[] = [0, -1, 1.5, 21, 1e9, '5', null, {}];
const NO_LABELS: readonly unknown[] = ['a', [1], [''], [null], ['a'.repeat(201)], {}, Array(101).fill('a')];
const NO_TIME: readonly unknown[] = ['yesterday', 5, '2026-13-01T00:00:00Z', '2026-01-01', null];
const NO_OBJECT: readonly unknown[] = ['a', 5, [], true, null];
const NO_ID: readonly unknown[] = [5, '', {}, 'a'.repeat(201)];
const NO_IDS: readonly unknown[] = ['a', [5], [''], null, Array(101).fill('a')];

/** Fields by their path, each with values that the API refuses. */
type Refusals = readonly (readonly [field: string, values: readonly unknown[]])[];

const EPISODIC: Refusals = [
  ['content', NO_TEXT],
  ['context', NO_OBJECT],
  ['metadata', NO_OBJECT],
  ['metadata.importance', NO_SCORE],
  ['metadata.tags', NO_LABELS],
  ['metadata.source', [5, '', 'a'.repeat(201)]],
  ['metadata.location', [5, 'a'.repeat(201)]],
  ['metadata.participants', NO_LABELS],
  ['relationships', NO_OBJECT],
  ['relationships.previous', NO_ID],
  ['relationships.next', NO_ID],
  ['relationships.related', NO_IDS],
];
const SEMANTIC: Refusals = [
  ['concept', NO_TEXT],
  ['description', NO_TEXT],
  ['metadata', NO_OBJECT],
  ['metadata.category', [5, '', 'a'.repeat(201), null]],
  ['metadata.confidence', NO_SCORE],
  ['metadata.source', [5, '', null]],
  ['metadata.accessCount', [-1, 1.5, '5', null]],
  ['metadata.lastAccessed', NO_TIME],
  ['relationships.parent', NO_ID],
  ['relationships.children', NO_IDS],
  ['relationships.similar', NO_IDS],
];

/** The body with a value at a path. JSON leaves out a field whose value is `undefined`. */
function withField(body: object, path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.');
  const inner = (body as Record<string, object | undefined>)[name] ?? {};
  return { ...body, [name]: rest.length === 0 ? value : withField(inner, rest.join('.'), value) };
}

/** The path itself, or that of an item if the value is an array. */
function named(field: string, details: { field: string }): boolean {
  return (
    details.field === field || details.field.startsWith(`${field}[`) || details.field.startsWith(`${field}.`)
  );
}

async function expectRefused(
  refusals: Refusals,
  send: (body: object) => Promise<Answer>,
  valid: object,
): Promise<void> {
  for (const [field, values] of refusals) {
    for (const value of values) {
      const { status, body } = await send(withField(valid, field, value));
      const what = { field, value, status, details: body.details };
      expect([what, status, body.error]).toEqual([what, 400, 'Validation error']);
      expect([what, named(field, body.details)]).toEqual([what, true]);
    }
  }
}

describe('what is no memory is refused with the name of the field', () => {
  test('a new event', async () => {
    const valid = { userId: newUser(), sessionId: 's', content: 'x' };
    const names: Refusals = [
      ['userId', NO_NAME],
      ['sessionId', NO_NAME],
    ];
    await expectRefused([...names, ...EPISODIC], (body) => service.post('/api/memory/episodic', body), valid);
    expect((await service.get(`/api/memory/stats/${valid.userId}`)).body.data.episodic.count).toBe(0);
  });

  test('a new concept', async () => {
    const valid = { userId: newUser(), concept: 'x', description: 'x' };
    const post = (body: object): Promise<Answer> => service.post('/api/memory/semantic', body);
    await expectRefused([['userId', NO_NAME], ...SEMANTIC], post, valid);
    expect((await service.get(`/api/memory/stats/${valid.userId}`)).body.data.semantic.count).toBe(0);
  });

  const present = (refusals: Refusals): Refusals =>
    refusals.map(([field, values]) => [field, values.filter((value) => value !== undefined)] as const);

  test('a changed event', async () => {
    const memory = await addEpisodic(service, { userId: newUser() });
    await expectRefused(present(EPISODIC), (body) => putEpisodic(service, memory.id, body), {});
    expect((await getEpisodic(service, memory.id)).body.data).toEqual(memory);
  });

  test('a changed concept', async () => {
    const { id, concept, description } = await addSemantic(service, { userId: newUser() });
    await expectRefused(present(SEMANTIC), (body) => putSemantic(service, id, body), {});
    expect((await getSemantic(service, id)).body.data).toMatchObject({ concept, description });
  });
});

describe('what is no search is refused with the name of the field', () => {
  const userId = newUser();
  const TIMES: Refusals = [
    ['timeRange', ['a', [], { start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' }]],
    ['timeRange.start', NO_TIME],
    ['timeRange.end', NO_TIME],
  ];
  const SCORES: Refusals = [
    ['importance', ['a', 0.5, { min: 0.6, max: 0.5 }]],
    ['importance.min', NO_SCORE],
    ['importance.max', NO_SCORE],
  ];
  const inFilters = (refusals: Refusals): Refusals =>
    refusals.map(([field, values]) => [`filters.${field}`, values] as const);

  test('of events', async () => {
    const refusals: Refusals = [
      ['userId', NO_NAME],
      ['sessionId', NO_NAME.slice(1)],
      ['tags', NO_LABELS],
      ['limit', NO_LIMIT],
      ...TIMES,
      ...SCORES,
    ];
    await expectRefused(refusals, (body) => searchEpisodic(service, body), { userId });
  });

  test('of concepts', async () => {
    const refusals: Refusals = [
      ['userId', NO_NAME],
      ['query', NO_TEXT],
      ['threshold', NO_SCORE],
      ['limit', NO_LIMIT],
      ['filters.categories', NO_LABELS],
    ];
    await expectRefused(refusals, (body) => searchSemantic(service, body), { userId, query: 'x' });
  });

  test('across both', async () => {
    const refusals: Refusals = [
      ['userId', NO_NAME],
      ['query', NO_TEXT.slice(1)],
      ['type', ['all', 5, null]],
      ['threshold', NO_SCORE],
      ['limit', NO_LIMIT],
      ['filters', ['a', 5, []]],
      ...inFilters([['tags', NO_LABELS], ['categories', NO_LABELS], ...TIMES, ...SCORES]),
    ];
    await expectRefused(refusals, (body) => searchMemory(service, body), { userId });
  });

  test('the most that a limit may be is answered', async () => {
    expect((await searchEpisodic(service, { userId, limit: 20 })).status).toBe(200);
    expect((await searchEpisodic(service, { userId, limit: 21 })).body.details.message).toContain(
      'MEMORY_MAX_RESULTS',
    );
  });
});

test.each(['context/USER/session', 'stats/USER'])('%s takes names that a memory can have', async (path) => {
  const long = path.replace('USER', 'a'.repeat(201));
  expectInvalid(await service.get(`/api/memory/${long}`), 'userId');
  expectInvalid(await service.get(`/api/memory/${path.replace('USER', 'a%00')}`), 'userId');
  expect((await service.get(`/api/memory/${path.replace('USER', 'a b%2Fc')}`)).status).toBe(200);
});

test('what could never be asked for or sent back is refused', async () => {
  expectInvalid(await postEpisodic(service, { userId: 'half a pair \ud800' }), 'userId');
  expectInvalid(await postEpisodic(service, { userId: newUser(), sessionId: '\udc00' }), 'sessionId');
  for (const [field, value] of [
    ['lastAccessed', '9999-12-31T23:59:59-23:00'],
    ['accessCount', Number.MAX_SAFE_INTEGER],
  ] as const)
    expectInvalid(
      await postSemantic(service, { userId: newUser(), metadata: { [field]: value } }),
      `metadata.${field}`,
    );
});

describe('too much', () => {
  test('text is refused by the name of its setting, and as much as allowed is taken', async () => {
    const userId = newUser();
    for (const answer of [
      await postEpisodic(service, { userId, content: 'ä'.repeat(501) }),
      await postSemantic(service, { userId, description: 'ä'.repeat(501) }),
      await searchSemantic(service, { userId, query: 'ä'.repeat(501) }),
    ]) {
      expect([answer.status, answer.body.details.message]).toEqual([
        400,
        'must have at most 500 characters (MEMORY_MAX_CONTENT_LENGTH)',
      ]);
    }
    expect((await postEpisodic(service, { userId, content: 'ä'.repeat(500) })).status).toBe(201);
  });

  test('of a body is refused as a whole', async () => {
    const { status, body } = await postEpisodic(service, {
      userId: newUser(),
      context: { x: 'a'.repeat(1_048_576) },
    });
    expect([status, body.error]).toEqual([413, 'Request body too large']);
  });

  test('memories are refused by the quota of their kind', async () => {
    const userId = newUser();
    const answers = await Promise.all(Array.from({ length: 6 }, () => postEpisodic(service, { userId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400]);
    const { body } = await postEpisodic(service, { userId });
    expect([body.error, body.details]).toEqual(['Memory quota exceeded', { kind: 'episodic', quota: 3 }]);
    expect((await postSemantic(service, { userId })).status).toBe(201);
    const written = answers.find(({ status }) => status === 201);
    await service.send('DELETE', `/api/memory/episodic/${written?.body.data.id}`);
    expect((await postEpisodic(service, { userId })).status).toBe(201);
  });
});

describe('what is no body', () => {
  const raw = (body: string, type = 'application/json'): Promise<Answer> =>
    request(`${service.url}/api/memory/episodic`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });

  test.each([
    ['no JSON', '{'],
    ['an array', '[]'],
    ['a text', '"a"'],
    ['nothing', ''],
    [
      'a key that would be a prototype',
      '{"userId":"u","sessionId":"s","content":"c","context":{"__proto__":{"a":1}}}',
    ],
    [
      'deep nesting',
      `{"userId":"u","sessionId":"s","content":"c","context":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    ],
  ])('%s is a 400', async (_, body) => {
    const answer = await raw(body);
    expect([answer.status, answer.body.error]).toEqual([400, 'Validation error']);
  });

  test('other names of prototypes are names like any', async () => {
    const context = { constructor: { prototype: { a: 1 } }, toString: 'x', hasOwnProperty: 2 };
    const { id } = await addEpisodic(service, { userId: newUser(), context });
    await putEpisodic(service, id, { context: { constructor: { b: 2 } } });
    expect((await getEpisodic(service, id)).body.data.context).toEqual({
      ...context,
      constructor: { prototype: { a: 1 }, b: 2 },
    });
  });

  test('another type is a 415', async () => {
    expect((await raw('a=b', 'application/x-www-form-urlencoded')).status).toBe(415);
  });
});
