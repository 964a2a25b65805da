import { get as httpGet, type IncomingMessage } from 'node:http';
import type { Answer } from '../support/http';
import { startLoad } from '../support/load';
import {
  LEXICAL,
  addEpisodic,
  chainOf,
  countMemories,
  getEpisodic,
  getSemantic,
  idsOf,
  newUser,
  postEpisodic,
  postSemantic,
  searchMemory,
  searchSemantic,
} from '../support/memories';
import { NEO4J_WAIT_MS, describeWithNeo4j } from '../support/neo4j';
import { type Neo4jServer, startNeo4j } from '../support/neo4j-server';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

/** More than a page of memories, and more than the buffers of sockets. */
const MANY = 250;
const LONG = 'x'.repeat(50_000);
const CALCULATION = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };

let server: Neo4jServer;
let stage: Stage;
let api: Api;

function expectUnavailable({ status, body, headers }: Answer): void {
  expect([status, body.success, body.details, headers.get('retry-after')]).toEqual([
    503,
    false,
    { service: 'database', reason: expect.any(String) },
    '1',
  ]);
  expect([body.error, body.message]).toContain('Service unavailable');
}

const answersAgain = (userId: string): Promise<unknown> =>
  waitFor(async () => (await api.get(`/api/memory/stats/${userId}`)).status === 200, {
    what: 'the store to be used again',
  });

describeWithNeo4j('a service whose Neo4j goes away', () => {
  beforeAll(async () => {
    [server, stage] = await Promise.all([startNeo4j(), openStage()]);
    const settings = {
      ...LEXICAL,
      GRAPH_STORE: 'neo4j',
      NEO4J_URI: server.uri,
      NEO4J_USERNAME: server.username,
      NEO4J_PASSWORD: server.password,
    };
    [api] = await Promise.all([stage.api(settings), stage.worker(settings)]);
  }, NEO4J_WAIT_MS);

  afterAll(async () => {
    await server.restart().catch(() => undefined);
    await stage.close();
    await server.stop();
  });

  test('under readers and writers says so, uses it again by itself, and has lost nothing', async () => {
    const userId = newUser();
    const first = await addEpisodic(api, { userId, content: 'the first day' });
    let writing = true;
    const until = async (call: () => Promise<Answer>): Promise<Answer> => {
      if (!writing) throw new Error('enough');
      return call();
    };
    const writes = startLoad(4, 100_000, (n) =>
      until(() =>
        n % 3 === 0
          ? postSemantic(api, { userId, concept: `concept${n}` })
          : postEpisodic(api, { userId, content: `event${n}` }),
      ),
    );
    const reads = startLoad(2, 100_000, () => until(() => getEpisodic(api, first.id)));
    await Promise.all([writes.reached(60), reads.reached(20)]);
    await server.kill();
    const [written, read] = [writes.answers.length, reads.answers.length];
    await Promise.all([writes.reached(written + 4), reads.reached(read + 2)]);

    const calls = [
      () => getEpisodic(api, first.id),
      () => postSemantic(api, { userId }),
      () => searchMemory(api, { userId, query: 'day' }),
      () => api.get(`/api/memory/stats/${userId}`),
      () => api.get(`/api/memory/export/${userId}`),
      () => api.get('/api/tools'),
      () => api.post('/api/tools/execute', CALCULATION),
    ];
    for (const answer of await Promise.all(calls.map((call) => call()))) expectUnavailable(answer);
    expect((await api.get('/livez')).status).toBe(200);
    expect((await api.get('/readyz')).status).toBe(200);
    expect((await api.get('/api/openapi.json')).status).toBe(200);
    const health = await api.get('/api/health');
    expect([health.status, health.body.details.failedServices]).toEqual([
      503,
      expect.arrayContaining(['database']),
    ]);

    await server.restart();
    await answersAgain(userId);
    writing = false;
    await Promise.all([writes.done, reads.done]);
    for (const answer of [...writes.answers, ...reads.answers]) {
      if (answer.status >= 300) expectUnavailable(answer);
    }
    expect([...writes.failures, ...reads.failures].map(String)).toEqual(Array(6).fill('Error: enough'));

    const acknowledged = writes.answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.data as { id: string; concept?: string });
    const found = acknowledged.map(async ({ id, concept }) => {
      const { status } = concept === undefined ? await getEpisodic(api, id) : await getSemantic(api, id);
      return status;
    });
    expect(new Set(await Promise.all(found))).toEqual(new Set([200]));
    for (const { id, concept = '' } of acknowledged.filter((one) => one.concept !== undefined).slice(0, 10)) {
      const { body } = await searchSemantic(api, { userId, query: concept, limit: 100, threshold: 0 });
      expect(idsOf(body.data)).toContain(id);
    }
    // A write without an answer may be stored, and then it is stored as a whole.
    const chain = await chainOf(api, first.id);
    const events = acknowledged.filter(({ concept }) => concept === undefined);
    expect(events.filter(({ id }) => !chain.includes(id))).toEqual([]);
    expect((await countMemories(api, userId)).episodic).toBe(chain.length);
    expect((await api.post('/api/tools/execute', CALCULATION)).body.data.result).toBe(3);
  });

  test('in the middle of an export breaks it, and the next one is whole', async () => {
    const userId = newUser();
    const load = startLoad(5, MANY / 5, () => postEpisodic(api, { userId, context: { LONG } }));
    await load.done;
    expect([load.failures.length, load.answers.filter(({ status }) => status !== 201)]).toEqual([0, []]);

    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${api.url}/api/memory/export/${userId}`, resolve).on('error', reject);
    });
    expect(response.statusCode).toBe(200);
    // Nothing was read so far, so most of the export is still in the store.
    await server.kill();
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(text).not.toContain('"kind":"end"');
    expect(text.split('\n').length).toBeLessThan(MANY);
    await api.process.line('an answer broke off');

    await server.restart();
    await answersAgain(userId);
    const whole = await api.get(`/api/memory/export/${userId}`);
    const lines = whole.text.split('\n').slice(0, -1);
    expect(lines).toHaveLength(MANY + 1);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ kind: 'end', episodic: MANY, semantic: 0 });
  });
});
