import { join } from 'node:path';
import type { Answer } from '../support/http';
import { filesWith, historyTexts } from '../support/history-texts';
import {
  LEXICAL,
  addEpisodic,
  addSemantic,
  clearMemories,
  countMemories,
  getEpisodic,
  getSemantic,
  idsOf,
  newUser,
  postSemantic,
  searchMemory,
} from '../support/memories';
import { NEO4J_WAIT_MS, describeWithNeo4j, queryNeo4j, useNeo4j } from '../support/neo4j';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import type { PartProcess } from '../support/process';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

function initializeAgent({ post }: Api, memoryConfig: object, more = {}): Promise<Answer> {
  return post('/api/agent/initialize', { memoryConfig, ...more });
}

function initializeChat({ post }: Api, config: object): Promise<Answer> {
  return post('/api/memory-chat/initialize', { config });
}

describeWithNeo4j('stores of memories that an initialization sets', () => {
  const address = useNeo4j();
  let stage: Stage;
  let first: Api;
  let second: Api;
  let worker: PartProcess;
  /** The memory that was written before anything was initialized. */
  let early: { id: string; userId: string };

  const graphdb = (): object => {
    const { uri, username, password } = address();
    return { uri, username, password };
  };
  const EMBEDDED = {
    store: 'graphdb',
    place: 'embedded',
    replacedAt: expect.any(String),
    heldMemories: true,
    users: 1,
  };
  const inNeo4j = async (userId: string): Promise<number> => {
    const [row] = await queryNeo4j(
      address(),
      'MATCH (memory:HoldfastMemory) WHERE memory.state CONTAINS $userId RETURN count(memory) AS found',
      { userId },
    );
    return Number(row?.['found']);
  };

  beforeAll(async () => {
    stage = await openStage();
    [first, second, worker] = await Promise.all([
      stage.api(LEXICAL),
      stage.api(LEXICAL),
      // The worker uses the permission that the API has stored with the address.
      stage.worker({ ...LEXICAL, EGRESS_ALLOW_PRIVATE: '' }),
    ]);
    const userId = newUser();
    const { id } = await addEpisodic(first, { userId, content: 'written to the embedded store' });
    early = { id, userId };
  }, NEO4J_WAIT_MS);

  afterAll(() => stage.close());

  test('an empty body takes the configured stores, and nothing moves', async () => {
    const { status, body } = await first.post('/api/memory-chat/initialize', {});
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: 'Memory chat service initialized successfully',
        tools: ['graphdb', 'vectordb', 'embedder'],
        data: {
          initialized: true,
          services: ['graphdb', 'vectordb', 'embedder'],
          models: { embedding: 'lexical-1', llm: 'builtin' },
          leftBehind: [],
          formerStores: [],
        },
      },
    ]);
    expect((await getEpisodic(second, early.id)).status).toBe(200);
  });

  test('what cannot be reached is told with what to check, and the former stores stay in use', async () => {
    const wrong = [
      [
        { graphdb: { ...graphdb(), password: 'not-the-right-one' } },
        /user or the password.*graphdb\.password/,
      ],
      [{ graphdb: { ...graphdb(), uri: 'bolt://127.0.0.1:1' } }, /127\.0\.0\.1:1 .*refused.*graphdb\.uri/],
      [{ graphdb: { ...graphdb(), database: 'nowhere' } }, /graphdb\.database/],
      [{ graphdb: { ...graphdb(), uri: 'bolt://169.254.169.254:7687' } }, /never allowed/],
    ] as const;
    for (const [memoryConfig, reason] of wrong) {
      const { status, body } = await initializeAgent(first, memoryConfig);
      expect([status, body.error, body.details]).toEqual([
        503,
        'Memory service unavailable',
        { service: 'graphdb', reason: expect.stringMatching(reason) },
      ]);
      expect(JSON.stringify(body)).not.toContain('not-the-right-one');
    }
    for (const api of [first, second]) expect((await getEpisodic(api, early.id)).status).toBe(200);
  });

  test('every process goes over to a Neo4j server at once, the worker included', async () => {
    const userId = newUser();
    const { status, body } = await initializeAgent(first, { graphdb: graphdb() });
    expect([status, body.message, body.data]).toEqual([
      200,
      'Agent service initialized successfully',
      {
        initialized: true,
        capabilities: ['conversation', 'tool_execution', 'memory_management', 'intent_classification'],
        leftBehind: ['graphdb'],
        formerStores: [EMBEDDED],
      },
    ]);

    // The answer comes when all processes use the new store.
    expect((await getEpisodic(second, early.id)).status).toBe(404);
    const event = await addEpisodic(second, { userId, content: 'a zeppelin over the lake' });
    await addSemantic(first, { userId, concept: 'zeppelin' });
    expect(await inNeo4j(userId)).toBe(2);
    const found = await searchMemory(first, { userId, query: 'zeppelin', threshold: 0.1 });
    expect(idsOf(found.body.data.episodic)).toEqual([event.id]);

    const cleared = await clearMemories(first, userId);
    expect([cleared.status, cleared.body.data]).toEqual([
      200,
      {
        cleared: true,
        erased: { episodic: 1, semantic: 1, relations: 0, archived: 0, runs: 0 },
        receipt: expect.any(String),
        storesNotReached: 1,
      },
    ]);
    expect(await inNeo4j(userId)).toBe(0);
    const history = await historyTexts(stage.client, cleared.headers.get('x-workflow-id') ?? '');
    expect(history).not.toContain(address().password);
    expect(history).not.toContain(userId);
  });

  test('an empty initialization of the other area changes no store', async () => {
    const { body } = await initializeChat(second, {});
    expect(body.data.formerStores).toEqual([EMBEDDED]);
    expect((await getEpisodic(first, early.id)).status).toBe(404);
  });

  test('a restarted process uses what was set', async () => {
    const userId = newUser();
    const { id } = await addEpisodic(first, { userId });
    const third = await stage.api(LEXICAL);
    expect((await getEpisodic(third, id)).status).toBe(200);
    expect(await countMemories(third, userId)).toEqual({ episodic: 1, semantic: 0 });
  });

  test('the receipt of an erasure names stores from before that may hold memories of the user', async () => {
    const { status, body } = await clearMemories(first, early.userId);
    expect([status, body.data]).toEqual([
      200,
      {
        cleared: true,
        erased: { episodic: 0, semantic: 0, relations: 0, archived: 0, runs: 0 },
        receipt: expect.any(String),
        storesNotReached: 1,
      },
    ]);
    const receipt = await second.get(`/api/memory/erasures/${body.data.receipt}`);
    expect(JSON.parse(receipt.body.data.statement)).toMatchObject({
      stores: { erased: 1, notReached: 1 },
      formerStores: [EMBEDDED],
    });
  });

  test('stores that were named stay, unless other ones may replace them', async () => {
    const userId = newUser();
    await addEpisodic(first, { userId });
    const refused = await initializeAgent(second, { graphdb: null });
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      'STORES_ALREADY_SET',
      { sections: ['graphdb'] },
    ]);
    for (const same of [{}, { graphdb: graphdb() }])
      expect((await initializeAgent(second, same)).body.data.formerStores).toEqual([EMBEDDED]);

    const { status, body } = await initializeAgent(second, { graphdb: null }, { replace: true });
    const { host } = new URL(address().uri);
    expect([status, body.data.leftBehind, body.data.formerStores]).toEqual([
      200,
      ['graphdb'],
      [{ ...EMBEDDED, place: expect.stringContaining(host), users: expect.any(Number) }],
    ]);
    expect((await getEpisodic(first, early.id)).status).toBe(200);
    const { id } = await addEpisodic(first, { userId });
    expect((await getEpisodic(second, id)).status).toBe(200);
    expect(await inNeo4j(userId)).toBe(1);
    const cleared = await clearMemories(first, early.userId);
    expect(cleared.body.data.erased.episodic).toBe(1);
    expect(filesWith(early.userId, stage.dataDir)).toEqual([]);
  });

  test('credentials are in no file and no log line', () => {
    const { password } = address();
    for (const secret of [password, 'not-the-right-one'])
      expect(filesWith(secret, stage.dataDir)).toEqual([]);
    for (const { lines, output } of [first.process, second.process, worker]) {
      expect(JSON.stringify(lines) + output()).not.toContain(password);
      expect(JSON.stringify(lines) + output()).not.toContain('not-the-right-one');
    }
    // This shows that the search would have found a text, because it finds the record.
    expect(filesWith('memory-stores', stage.dataDir)).not.toEqual([]);
  });
});

describeWithNeo4j('stores of memories on several machines', () => {
  const address = useNeo4j();
  let pinecone: PineconeServer;
  let stage: Stage;
  let first: Api;
  let second: Api;

  const machine = (name: string): Record<string, string> => ({
    NEO4J_URI: address().uri,
    NEO4J_USERNAME: address().username,
    NEO4J_PASSWORD: address().password,
    DATA_DIR: join(stage.dataDir, name),
    SECRETS_KEY: 'ab'.repeat(32),
    VECTOR_STORE: 'none',
    PINECONE_CONTROLLER_URL: pinecone.url,
    ...LEXICAL,
  });

  beforeAll(async () => {
    pinecone = await startPineconeServer();
    stage = await openStage();
    [first, second] = await Promise.all([stage.api(machine('first')), stage.api(machine('second'))]);
  }, NEO4J_WAIT_MS);

  afterAll(async () => {
    await stage.close();
    await pinecone.close();
  });

  test('what one machine is initialized with, the other learns by itself', async () => {
    const userId = newUser();
    expect((await postSemantic(second, { userId })).status).toBe(503);
    const { status } = await initializeChat(first, { vectordb: { apiKey: API_KEY, indexName: 'mine' } });
    expect(status).toBe(200);
    await waitFor(
      async () =>
        (await second.get('/api/agent/status')).body.data.memoryService.vectordb !== 'not configured',
      { what: 'the other machine to know of a store of semantic memories' },
    );
    const { status: posted, body } = await postSemantic(second, { userId, concept: 'zeppelin' });
    expect(posted).toBe(201);
    const { id } = body.data as { id: string };
    expect((await getSemantic(first, id)).status).toBe(200);
    const rows = await queryNeo4j(address(), 'MATCH (document:HoldfastDocument) RETURN document');
    expect(JSON.stringify(rows)).toContain('memory-stores');
    expect(JSON.stringify(rows)).not.toContain(API_KEY);
  });
});
