import { LEXICAL, addEpisodic, addSemantic, getEpisodic, newUser, postEpisodic } from '../support/memories';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let pinecone: PineconeServer;
let stage: Stage;
beforeAll(async () => {
  pinecone = await startPineconeServer();
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  await pinecone.close();
});

test('a change of stores waits for a killed process until it counts as dead, and reads continue meanwhile', async () => {
  const settings = { ...LEXICAL, PINECONE_CONTROLLER_URL: pinecone.url };
  const [first, killed] = await Promise.all([stage.api(settings), stage.api(settings)]);
  const userId = newUser();
  const { id } = await addEpisodic(killed, { userId });
  await killed.process.kill();
  const vectordb = { apiKey: API_KEY, environment: 'us-east-1', indexName: 'mine' };
  const named = first.post('/api/agent/initialize', { memoryConfig: { vectordb } });
  const refused = await waitFor(
    async () => {
      const answer = await postEpisodic(first, { userId: newUser() });
      return answer.status === 503 && answer;
    },
    { what: 'a write to be refused' },
  );
  expect([refused.body.code, refused.headers.get('retry-after')]).toEqual(['STORE_UNAVAILABLE', '1']);
  expect((await getEpisodic(first, id)).status).toBe(200);
  expect((await named).status).toBe(200);
  await addSemantic(first, { userId, concept: 'zeppelin' });
});
