import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { DEMO_WORLD } from '../../packages/records/domain/demo-world';
import { LEXICAL, newUser } from '../support/memories';
import { chat, contentsOf, historyOf, initializeMemoryChat, isInTurns } from '../support/memory-chat';
import { NEO4J_WAIT_MS, describeWithNeo4j, queryNeo4j, useNeo4j } from '../support/neo4j';
import type { PartProcess } from '../support/process';
import { openRecords, type RecordsApi } from '../../packages/records/test/support/records-api';
import { figures } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';

describeWithNeo4j('the service on Neo4j', () => {
  const address = useNeo4j();
  let stage: Stage;
  let first: Api;
  let second: Api;
  let workers: PartProcess[];

  const neo4j = (): Record<string, string> => ({
    GRAPH_STORE: 'neo4j',
    NEO4J_URI: address().uri,
    NEO4J_USERNAME: address().username,
    NEO4J_PASSWORD: address().password,
  });
  /** Settings as for processes on separate machines, which share nothing but the servers. */
  const machine = (name: string): Record<string, string> => ({
    ...neo4j(),
    DATA_DIR: join(stage.dataDir, name),
    SECRETS_KEY: 'ab'.repeat(32),
    ...LEXICAL,
  });

  beforeAll(async () => {
    stage = await openStage();
    [first, second, ...workers] = await Promise.all([
      stage.api(machine('first')),
      stage.api(machine('second')),
      stage.worker(machine('worker-1')),
      stage.worker(machine('worker-2')),
    ]);
  }, NEO4J_WAIT_MS);

  afterAll(() => stage.close());

  const double = { name: 'double', description: 'twice a number', parameters: { n: 'number' } };

  test('a tool registered by one API runs through the other on a worker elsewhere', async () => {
    const registered = await first.post('/api/tools/register', { ...double, execute: '({ n }) => 2 * n' });
    expect(registered.status).toBe(201);
    const { status, body } = await second.post('/api/tools/execute', { toolName: 'double', args: { n: 21 } });
    expect([status, body.data.result]).toEqual([200, 42]);
    expect((await second.get('/api/tools')).body.data).toContainEqual(expect.objectContaining(double));
  });

  test('each call is counted once, and both APIs tell the same', async () => {
    const before = await figures(first);
    const calls = Array.from({ length: 12 }, (_, n) => {
      const api = n % 2 === 0 ? first : second;
      // Every third call divides by zero.
      const args = { operation: 'divide', a: n, b: n % 3 };
      return api.post('/api/tools/execute', { toolName: 'calculator', args });
    });
    const statuses = (await Promise.all(calls)).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    const expected = {
      totalExecutions: before.totalExecutions + 12,
      successfulExecutions: before.successfulExecutions + 8,
      failedExecutions: before.failedExecutions + 4,
    };
    expect(await figures(first)).toEqual(expected);
    expect(await figures(second)).toEqual(expected);
  });

  test('a memory of one API is found by the other, moves in its session, and goes with its user', async () => {
    const note = (content: string) =>
      first.post('/api/memory/episodic', { userId: 'ada', sessionId: 'one', content });
    const { id } = (await note('we sailed to the island of Crete')).body.data;
    const later = (await note('and back in autumn')).body.data;
    expect(later.relationships.previous).toBe(id);
    const query = { userId: 'ada', query: 'sailed to Crete' };
    const found = await second.post('/api/memory/search', query);
    expect([found.status, found.body.data.episodic[0]?.id]).toEqual([200, id]);
    expect(
      (await second.send('PUT', `/api/memory/episodic/${id}`, { content: 'we sailed to Rhodes' })).status,
    ).toBe(200);
    expect((await first.get(`/api/memory/episodic/${id}`)).body.data).toMatchObject({
      content: 'we sailed to Rhodes',
      relationships: { next: later.id },
    });
    const cleared = await second.send('DELETE', '/api/memory/clear/ada');
    expect([cleared.status, cleared.body.data?.erased]).toMatchObject([200, { episodic: 2 }]);
    expect((await first.get(`/api/memory/episodic/${id}`)).status).toBe(404);
  });

  test('health says which store it is', async () => {
    const { body } = await first.get('/api/health/detailed');
    expect(body.data.services.database).toMatchObject({ status: 'healthy', store: 'neo4j' });
  });

  test('the documents are in Neo4j', async () => {
    const [tools] = await queryNeo4j(
      address(),
      "MATCH (document:HoldfastDocument {collection: 'tools', key: 'double'}) RETURN count(document) AS found",
    );
    expect(tools).toEqual({ found: 1 });
  });

  test('the password is in no log line', () => {
    for (const { lines, output } of [first.process, second.process, ...workers])
      expect(JSON.stringify(lines) + output()).not.toContain(address().password);
  });

  describe('has memory chat', () => {
    beforeAll(async () => {
      expect((await initializeMemoryChat(first)).status).toBe(200);
    });

    test('turns of one session through either API run one after another, on any worker', async () => {
      const userId = newUser();
      const messages = Array.from({ length: 10 }, (_, n) => `I have ${n} marbles in box ${n}`);
      const answers = await Promise.all(
        messages.map((message, n) => chat(n % 2 === 0 ? first : second, { userId, message })),
      );
      expect(answers.map(({ status }) => status)).toEqual(messages.map(() => 200));
      for (const api of [first, second]) {
        const history = await historyOf(api, userId);
        expect(history).toHaveLength(20);
        expect(isInTurns(history)).toBe(true);
        expect(new Set(contentsOf(history, 'user'))).toEqual(new Set(messages));
      }
    });

    test('what was told to one is answered by the other, and insights tell of it', async () => {
      const userId = newUser();
      for (const message of ['My sister lives in Lisbon', 'Lisbon is by the sea', 'I fly to Lisbon in May']) {
        await chat(first, { userId, message });
      }
      const question = { userId, sessionId: 'session-2', message: 'Where does my sister live?' };
      expect((await chat(second, question)).body.data.message).toMatch(/Lisbon/);
      const asked = { userId, sessionId: 'session-3', query: question.message };
      const context = await first.post('/api/memory-chat/enhance-context', asked);
      expect(context.body.data.enhancedContext).toContain('My sister lives in Lisbon');
      expect(context.body.data.enhancedContext).not.toMatch(/Noted|You told me/);
      const { body } = await second.get(`/api/memory-chat/insights/${userId}`);
      expect(body.data).toMatchObject({
        totalMemories: 8,
        recentActivity: { lastConversation: expect.any(String), memoriesThisWeek: 8 },
      });
      expect(body.data.topics[0]).toEqual({ topic: 'Lisbon', count: 3, importance: 0.5 });
    });
  });

  describe('has records', () => {
    let records: RecordsApi;
    let recordsElsewhere: RecordsApi;

    beforeAll(async () => {
      const open = () => openRecords(neo4j());
      [records, recordsElsewhere] = await Promise.all([open(), open()]);
      await records.fill(DEMO_WORLD);
    });
    afterAll(() => Promise.all([records.close(), recordsElsewhere.close()]));

    test('what one API was given the other finds, lists and traces', async () => {
      const { body } = await recordsElsewhere.get('/api/contaminants/listeria/trace?direction=both');
      const ids = (found: { id: string }[]): string[] => found.map(({ id }) => id);
      expect(ids(body.data.downstream.facilities)).toEqual([
        'wholesaler-lyon',
        'shop-grenoble',
        'kitchen-lyon',
        'shop-geneva',
      ]);
      expect(ids(body.data.upstream.facilities)).toEqual(
        expect.arrayContaining(['farm-pellice', 'farm-stura']),
      );
      const listed = await recordsElsewhere.get(
        '/api/shipments?lot=ROB-0412&q=robiola&sort=departureAt&limit=2',
      );
      expect([listed.body.data.total, ids(listed.body.data.shipments)]).toEqual([
        6,
        ['cheese-0413', 'lyon-0414'],
      ]);
    });

    test('a change of one is seen by the other, entity tag and all', async () => {
      const before = await recordsElsewhere.get('/api/shipments/geneva-0421');
      const held = { ...before.body.data, status: 'held' };
      const tag = before.headers.get('etag')!;
      const changed = await records.send('PUT', '/api/shipments/geneva-0421', held, { 'if-match': tag });
      expect([changed.status, changed.body.data.version]).toEqual([200, 2]);
      const late = await recordsElsewhere.send('PUT', '/api/shipments/geneva-0421', held, {
        'if-match': tag,
      });
      expect([late.status, late.body.error]).toEqual([412, 'Record changed']);
      const refused = await recordsElsewhere.send('DELETE', '/api/facilities/shop-geneva');
      expect([refused.status, refused.body.error]).toEqual([409, 'Record in use']);
    });

    test('references are relationships in the graph', async () => {
      const [row] = await queryNeo4j(
        address(),
        `MATCH (:HoldfastContaminant {id: 'listeria'})-[:REFERS_TO]->(:HoldfastShipment)-[:ARRIVES_AT]->(facility)
         RETURN facility.id AS id`,
      );
      expect(row).toEqual({ id: 'wholesaler-lyon' });
    });
  });

  describe('does not start, and says in one line what to do', () => {
    async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
      const started = stage.spawn('api', env);
      expect(await started.exited).toBe(1);
      return started.output();
    }

    test('where the server cannot be reached', async () => {
      const uri = `bolt://127.0.0.1:${await freePort()}`;
      const settings = { ...machine('refused'), NEO4J_URI: uri, STARTUP_WAIT_MS: '0' };
      expect(await refusal(settings)).toMatch(
        new RegExp(`^api: NEO4J_URI \\(${uri}\\) cannot be used: The data store cannot be reached \\(.*\\)$`),
      );
    });

    test('where the password is wrong', async () => {
      const line = await refusal({ ...machine('refused'), NEO4J_PASSWORD: 'not the right one' });
      expect(line).toMatch(/^api: Neo4j refuses .*NEO4J_PASSWORD.*$/);
      expect(line).not.toContain('not the right one');
    });

    test('where the data folder cannot be made', async () => {
      const file = join(stage.dataDir, 'a-file');
      writeFileSync(file, '');
      expect(await refusal({ ...machine('refused'), DATA_DIR: join(file, 'data') })).toMatch(
        /^api: DATA_DIR .* cannot be used: .*$/,
      );
    });
  });
});
