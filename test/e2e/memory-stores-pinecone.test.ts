import { LEXICAL, addSemantic, idsOf, newUser, postSemantic, searchSemantic } from '../support/memories';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import { type Api, openStage, type Stage } from '../support/stage';

let pinecone: PineconeServer;
let stage: Stage;
let first: Api;
let second: Api;

beforeAll(async () => {
  pinecone = await startPineconeServer();
  stage = await openStage();
  const settings = { ...LEXICAL, VECTOR_STORE: 'none', PINECONE_CONTROLLER_URL: pinecone.url };
  [first, second] = await Promise.all([stage.api(settings), stage.api(settings)]);
});
afterAll(async () => {
  await stage.close();
  await pinecone.close();
});

const vectordb = { apiKey: API_KEY, environment: 'us-east-1', indexName: 'mine' };

test('a service without a store of semantic memories has one as soon as it is initialized', async () => {
  const userId = newUser();
  expect((await postSemantic(second, { userId })).status).toBe(503);
  const { status, body } = await first.post('/api/memory-chat/initialize', { config: { vectordb } });
  expect([status, body.data.services, body.data.leftBehind]).toEqual([
    200,
    ['graphdb', 'vectordb', 'embedder'],
    [],
  ]);
  const { id } = await addSemantic(second, { userId, concept: 'zeppelin' });
  const found = await searchSemantic(first, { userId, query: 'zeppelin' });
  expect([idsOf(found.body.data), found.body.tools]).toEqual([[id], ['vectordb', 'embedder']]);
  expect(pinecone.count('POST /query')).toBeGreaterThan(0);
});

test('a wrong key is told with what to check, and the former one stays in use', async () => {
  const wrong = { ...vectordb, apiKey: 'pcsk_wrong_key_1' };
  const asked = { memoryConfig: { vectordb: wrong }, replace: true };
  const { status, body } = await first.post('/api/agent/initialize', asked);
  expect([status, body.error, body.details]).toEqual([
    503,
    'Memory service unavailable',
    { service: 'vectordb', reason: 'Pinecone refuses the API key; check vectordb.apiKey' },
  ]);
  const userId = newUser();
  const { id } = await addSemantic(second, { userId, concept: 'zeppelin' });
  expect(idsOf((await searchSemantic(first, { userId, query: 'zeppelin' })).body.data)).toEqual([id]);
});

test.each([
  [
    '/api/agent/initialize',
    { memoryConfig: { graphdb: { uri: 'http://nowhere' } } },
    'memoryConfig.graphdb.uri',
  ],
  ['/api/agent/initialize', { memoryConfig: { graphdb: { password: 'p' } } }, 'memoryConfig.graphdb.uri'],
  [
    '/api/agent/initialize',
    { memoryConfig: { graphdb: { uri: 'bolt://u:p@host' } } },
    'memoryConfig.graphdb.uri',
  ],
  ['/api/memory-chat/initialize', { config: { vectordb: { indexName: 'mine' } } }, 'config.vectordb.apiKey'],
  [
    '/api/memory-chat/initialize',
    { config: { embedding: { model: '/etc/passwd' } } },
    'config.embedding.model',
  ],
  [
    '/api/memory-chat/initialize',
    { config: { embedding: { dimensions: 0 } } },
    'config.embedding.dimensions',
  ],
  ['/api/memory-chat/initialize', { config: 'all' }, 'config'],
])('%s with %j is told by field', async (path, asked, field) => {
  const { status, body } = await first.post(path, asked);
  expect([status, body.error, body.details?.field]).toEqual([400, 'Validation error', field]);
});
