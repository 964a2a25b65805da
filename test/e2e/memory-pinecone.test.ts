import {
  LEXICAL,
  addEpisodic,
  addSemantic,
  getSemantic,
  idsOf,
  newUser,
  postSemantic,
  putSemantic,
  searchMemory,
  searchSemantic,
} from '../support/memories';
import { fails, serves } from '../support/pinecone-server/behaviours';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import { type Api, openStage, type Stage } from '../support/stage';

let pinecone: PineconeServer;
let stage: Stage;
let first: Api;
let second: Api;

beforeAll(async () => {
  pinecone = await startPineconeServer();
  pinecone.hold();
  stage = await openStage();
  const settings = {
    ...LEXICAL,
    VECTOR_STORE: 'pinecone',
    PINECONE_API_KEY: API_KEY,
    PINECONE_CONTROLLER_URL: pinecone.url,
  };
  [first, second] = await Promise.all([stage.api(settings), stage.api(settings)]);
});
afterEach(() => pinecone.otherwise(serves()));
afterAll(async () => {
  await stage.close();
  await pinecone.close();
});

const found = async (api: Api, userId: string, query: string): Promise<string[]> =>
  idsOf((await searchSemantic(api, { userId, query })).body.data);

test('a memory is in the next get and the next search of any process, though Pinecone shows nothing yet', async () => {
  const userId = newUser();
  const { status, body } = await postSemantic(first, { userId, concept: 'zeppelin', description: 'flies' });
  expect([status, body.tools]).toEqual([201, ['vectordb', 'embedder']]);
  const { id } = body.data;
  for (const api of [first, second]) {
    expect((await getSemantic(api, id)).body.data.concept).toBe('zeppelin');
    expect(await found(api, userId, 'zeppelin')).toEqual([id]);
    expect(idsOf((await searchMemory(api, { userId, query: 'zeppelin' })).body.data.semantic)).toEqual([id]);
    expect(await found(api, newUser(), 'zeppelin')).toEqual([]);
  }
  expect(pinecone.count('POST /query')).toBeGreaterThan(0);
});

test('and so is its change and its end', async () => {
  const userId = newUser();
  const { id } = await addSemantic(first, { userId, concept: 'zeppelin', metadata: { category: 'old' } });
  await putSemantic(second, id, { concept: 'submarine', metadata: { category: 'new' } });
  for (const api of [first, second]) {
    expect(await found(api, userId, 'submarine')).toEqual([id]);
    expect(await found(api, userId, 'zeppelin')).toEqual([]);
    for (const [category, ids] of [
      ['new', [id]],
      ['old', []],
    ] as const) {
      const query = { userId, query: 'submarine', filters: { categories: [category] } };
      expect(idsOf((await searchSemantic(api, query)).body.data)).toEqual(ids);
    }
  }
  await first.send('DELETE', `/api/memory/semantic/${id}`);
  expect((await getSemantic(second, id)).status).toBe(404);
  expect(await found(second, userId, 'submarine')).toEqual([]);
});

test('while Pinecone fails a search says so, and what does not need it goes on', async () => {
  const userId = newUser();
  await addSemantic(first, { userId, concept: 'zeppelin' });
  pinecone.otherwise(fails(500));
  const before = pinecone.count('POST /query');
  for (const answer of [
    await searchSemantic(first, { userId, query: 'zeppelin' }),
    await searchMemory(first, { userId, query: 'zeppelin' }),
  ]) {
    expect([answer.status, answer.body.error, answer.body.details]).toEqual([
      503,
      'Service unavailable',
      { service: 'vectordb', reason: expect.any(String) },
    ]);
  }
  // Each search makes at most five attempts, and no search is repeated as a whole.
  expect(pinecone.count('POST /query') - before).toBeLessThanOrEqual(2 * 5);

  const event = await addEpisodic(first, { userId, content: 'a zeppelin over the lake' });
  const episodic = await searchMemory(first, { userId, query: 'zeppelin', type: 'episodic' });
  expect(idsOf(episodic.body.data.episodic)).toEqual([event.id]);
  const { id } = await addSemantic(first, { userId, concept: 'submarine' });
  expect((await getSemantic(second, id)).status).toBe(200);

  pinecone.otherwise(serves());
  expect(await found(first, userId, 'submarine')).toEqual([id]);
});
