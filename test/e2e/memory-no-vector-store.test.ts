import type { Answer } from '../support/http';
import {
  LEXICAL,
  addEpisodic,
  chainOf,
  getEpisodic,
  getSemantic,
  idsOf,
  newUser,
  postSemantic,
  putEpisodic,
  putSemantic,
  searchEpisodic,
  searchMemory,
  searchSemantic,
} from '../support/memories';
import { type Service, startService } from '../support/service';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const userId = newUser();

let service: Service;

beforeAll(async () => {
  service = await startService({ ...LEXICAL, VECTOR_STORE: 'none' });
});
afterAll(() => service.stop());

test.each<[string, () => Promise<Answer>]>([
  ['creating', () => postSemantic(service, { userId })],
  ['reading', () => getSemantic(service, ID)],
  ['searching', () => searchSemantic(service, { userId, query: 'x' })],
  ['changing', () => putSemantic(service, ID, { description: 'x' })],
  ['deleting', () => service.send('DELETE', `/api/memory/semantic/${ID}`)],
  ['a search for semantic memories', () => searchMemory(service, { userId, query: 'x', type: 'semantic' })],
  ['a search for both', () => searchMemory(service, { userId, query: 'x', type: 'both' })],
])('%s needs the store of semantic memories', async (_, ask) => {
  const { status, body } = await ask();
  const reason = 'no store of semantic memories is configured: VECTOR_STORE=none';
  expect([status, body]).toMatchObject([
    503,
    {
      success: false,
      error: 'Service unavailable',
      message: expect.stringContaining(reason),
      details: { service: 'vectordb', reason },
    },
  ]);
});

test('invalid input is told before', async () => {
  expect((await postSemantic(service, { userId, concept: '' })).status).toBe(400);
});

test('episodic memories work as ever', async () => {
  const first = await addEpisodic(service, { userId, content: 'Ada plays the violin' });
  const second = await addEpisodic(service, { userId, relationships: { related: [first.id] } });
  expect(await chainOf(service, first.id)).toEqual([first.id, second.id]);
  expect((await putEpisodic(service, second.id, { content: 'Ada sings' })).status).toBe(200);
  expect((await searchEpisodic(service, { userId })).body.message).toBe('Found 2 episodic memories');

  for (const type of [undefined, 'episodic']) {
    const { body } = await searchMemory(service, { userId, query: 'violin', type });
    expect([body.tools, idsOf(body.data.episodic), body.data.semantic]).toEqual([
      ['graphdb', 'embedder'],
      [first.id, second.id],
      [],
    ]);
    expect(body.data.episodic[1].neighbourOf).toBe(first.id);
  }
  const context = await service.get(`/api/memory/context/${userId}/session-1`);
  expect([context.body.tools, idsOf(context.body.data.episodic), context.body.data.semantic]).toEqual([
    ['graphdb', 'embedder'],
    [second.id, first.id],
    [],
  ]);
  const stats = await service.get(`/api/memory/stats/${userId}`);
  expect([stats.body.tools, stats.body.data.episodic.count, stats.body.data.semantic]).toEqual([
    ['graphdb'],
    2,
    { count: 0, categories: [] },
  ]);
  const related = await service.get(`/api/memory/related/${first.id}`);
  expect([related.body.tools, related.body.data.semantic]).toEqual([['graphdb'], []]);

  expect((await service.send('DELETE', `/api/memory/episodic/${first.id}`)).status).toBe(200);
  expect((await getEpisodic(service, first.id)).status).toBe(404);
});
