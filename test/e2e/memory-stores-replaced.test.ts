import type { Answer } from '../support/http';
import { startLoad } from '../support/load';
import { LEXICAL, getEpisodic, newUser, postEpisodic } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { NEO4J_WAIT_MS, describeWithNeo4j, queryNeo4j, useNeo4j } from '../support/neo4j';
import { type Api, openStage, type Stage } from '../support/stage';

describeWithNeo4j('stores that are replaced while two APIs and a worker write', () => {
  const address = useNeo4j();
  let stage: Stage;
  let apis: readonly [Api, Api];

  beforeAll(async () => {
    stage = await openStage();
    const [first, second] = await Promise.all([
      stage.api(LEXICAL),
      stage.api(LEXICAL),
      stage.worker({ ...LEXICAL, EGRESS_ALLOW_PRIVATE: '' }),
    ]);
    apis = [first, second];
    await initializeMemoryChat(first);
  }, NEO4J_WAIT_MS);

  afterAll(() => stage.close());

  const replaceGraph = async (graphdb: object | null): Promise<Answer> => {
    const answer = await apis[0].post('/api/agent/initialize', { memoryConfig: { graphdb }, replace: true });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer;
  };
  const idsInNeo4j = async (userId: string): Promise<string[]> => {
    const found = await queryNeo4j(
      address(),
      'MATCH (memory:HoldfastMemory) WHERE memory.state CONTAINS $userId RETURN memory.id AS id',
      { userId },
    );
    return found.map(({ id }) => String(id));
  };
  const idsOf = (answers: readonly Answer[]): string[] =>
    answers.filter(({ status }) => status === 201).map(({ body }) => String(body.data.id));

  test('each memory that was acknowledged is in the store that was in use, and none in the one before it afterwards', async () => {
    const [userId, chatter] = [newUser(), newUser()];
    const load = startLoad(4, 100_000, (n) => postEpisodic(apis[n % 2 === 0 ? 0 : 1], { userId }));
    const turns = startLoad(1, 100_000, (n) =>
      chat(apis[0], { userId: chatter, message: `I have ${n} cats` }),
    );
    await Promise.all([load.reached(50), turns.reached(2)]);
    const { uri, username, password } = address();
    await replaceGraph({ uri, username, password });
    const atAnswer = load.answers.length;
    const turnsAtAnswer = turns.answers.length;
    // A request whose answer came later than this one may have been sent before.
    await load.reached(atAnswer + 50);
    await turns.reached(turnsAtAnswer + 2);
    load.stop();
    turns.stop();
    await Promise.all([load.done, turns.done]);
    expect([load.failures, turns.failures]).toEqual([[], []]);

    const refused = load.answers.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, body } of refused)
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'STORE_UNAVAILABLE']);
    expect(turns.answers.filter(({ status }) => status !== 200)).toEqual([]);

    const inNew = new Set(await idsInNeo4j(userId));
    const acknowledged = idsOf(load.answers);
    const inOld = acknowledged.filter((id) => !inNew.has(id));
    expect(inNew.size).toBe(acknowledged.length - inOld.length);
    expect(Math.min(inNew.size, inOld.length)).toBeGreaterThan(0);
    expect(idsOf(load.answers.slice(atAnswer)).filter((id) => !inNew.has(id))).toEqual([]);

    const { formerStores } = (await replaceGraph(null)).body.data;
    expect(formerStores).toMatchObject([{ store: 'graphdb', heldMemories: true }]);
    for (const id of inOld) expect((await getEpisodic(apis[1], id)).status).toBe(200);
    const stats = await apis[1].get(`/api/memory/stats/${userId}`);
    expect(stats.body.data.episodic.count).toBe(inOld.length);
  });
});
