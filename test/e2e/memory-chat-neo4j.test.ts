import { join } from 'node:path';
import { LEXICAL, newUser } from '../support/memories';
import { chat, contentsOf, historyOf, initializeMemoryChat, isInTurns } from '../support/memory-chat';
import { NEO4J_WAIT_MS, describeWithNeo4j, useNeo4j } from '../support/neo4j';
import { type Api, openStage, type Stage } from '../support/stage';

describeWithNeo4j('memory chat on machines that share Neo4j alone', () => {
  const address = useNeo4j();
  let stage: Stage;
  let apis: readonly [Api, Api];

  const machine = (name: string): Record<string, string> => ({
    GRAPH_STORE: 'neo4j',
    NEO4J_URI: address().uri,
    NEO4J_USERNAME: address().username,
    NEO4J_PASSWORD: address().password,
    DATA_DIR: join(stage.dataDir, name),
    SECRETS_KEY: 'ab'.repeat(32),
    ...LEXICAL,
  });

  beforeAll(async () => {
    stage = await openStage();
    const [first, second] = await Promise.all([
      stage.api(machine('first')),
      stage.api(machine('second')),
      stage.worker(machine('worker-1')),
      stage.worker(machine('worker-2')),
    ]);
    apis = [first, second];
    expect((await initializeMemoryChat(first)).status).toBe(200);
  }, NEO4J_WAIT_MS);
  afterAll(() => stage.close());

  test('turns of one session through either API run one after another, on any worker', async () => {
    const userId = newUser();
    const messages = Array.from({ length: 10 }, (_, n) => `I have ${n} marbles in box ${n}`);
    const answers = await Promise.all(
      messages.map((message, n) => chat(apis[n % 2 === 0 ? 0 : 1], { userId, message })),
    );
    expect(answers.map(({ status }) => status)).toEqual(messages.map(() => 200));
    for (const api of apis) {
      const history = await historyOf(api, userId);
      expect(history).toHaveLength(20);
      expect(isInTurns(history)).toBe(true);
      expect(new Set(contentsOf(history, 'user'))).toEqual(new Set(messages));
    }
  });

  test('what was told to one is answered by the other, and insights tell of it', async () => {
    const userId = newUser();
    for (const message of ['My sister lives in Lisbon', 'Lisbon is by the sea', 'I fly to Lisbon in May']) {
      await chat(apis[0], { userId, message });
    }
    const question = { userId, sessionId: 'session-2', message: 'Where does my sister live?' };
    expect((await chat(apis[1], question)).body.data.message).toMatch(/Lisbon/);
    const asked = { userId, sessionId: 'session-3', query: question.message };
    const context = await apis[0].post('/api/memory-chat/enhance-context', asked);
    expect(context.body.data.enhancedContext).toContain('My sister lives in Lisbon');
    expect(context.body.data.enhancedContext).not.toMatch(/Noted|You told me/);
    const { body } = await apis[1].get(`/api/memory-chat/insights/${userId}`);
    expect(body.data).toMatchObject({
      totalMemories: 8,
      recentActivity: { lastConversation: expect.any(String), memoriesThisWeek: 8 },
    });
    expect(body.data.topics[0]).toEqual({ topic: 'Lisbon', count: 3, importance: 0.5 });
  });
});
