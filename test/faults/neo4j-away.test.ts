import { createDocumentStore } from '../../src/factories/create-stores';
import type { DocumentStore } from '../../src/stores/documents';
import { put } from '../contract/support/writes';
import { NEO4J_WAIT_MS, describeWithNeo4j } from '../support/neo4j';
import { type Neo4jServer, startNeo4j } from '../support/neo4j-server';
import { type Api, openStage, type Stage } from '../support/stage';
import { answered, waitFor } from '../support/wait';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };

let server: Neo4jServer;
let store: DocumentStore;

describeWithNeo4j('a Neo4j server that goes away', () => {
  beforeAll(async () => {
    server = await startNeo4j();
    store = createDocumentStore({ neo4j: { ...server, operationLimitMs: 2_000 } });
  }, NEO4J_WAIT_MS);

  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  async function expectUnavailable(operation: () => Promise<unknown>): Promise<void> {
    await expect(operation()).rejects.toMatchObject(UNAVAILABLE);
  }

  async function expectAllUnavailable(): Promise<void> {
    await expectUnavailable(() => store.get('c', 'k'));
    await expectUnavailable(() => store.list('c'));
    await expectUnavailable(() => store.write([put('k', 'lost')]));
    await expectUnavailable(() => store.removeExpired(0, 1));
    await expectUnavailable(() => store.ping());
  }

  test('is told as unavailable in time, and what it acknowledged is there when it is back', async () => {
    await answered(() => store.write([put('k', 'kept')], { durability: 'process' }));
    await server.kill();
    await expectAllUnavailable();
    await server.restart();
    const kept = await answered(() => store.get('c', 'k'));
    expect(kept).toMatchObject({ key: 'k', value: 'kept' });
    expect(await answered(() => store.write([put('k', 'later')]))).toBe(true);
  });

  test('fails what is under way when it is killed', async () => {
    const writes = Array.from({ length: 20 }, (_, index) => store.write([put(`under-way-${index}`, index)]));
    const ended = Promise.allSettled(writes);
    await server.kill();
    for (const outcome of await ended) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(UNAVAILABLE);
      else expect(outcome.value).toBe(true);
    }
    await server.restart();
    expect(await answered(() => store.write([put('after', 1)]))).toBe(true);
  });

  test('or only answers no more, is told in time, and a write given up is not kept later', async () => {
    await answered(() => store.write([put('k', 'before')]));
    server.freeze();
    await expectUnavailable(() => store.write([put('k', 'given up')]));
    await expectAllUnavailable();
    server.thaw();
    await waitFor(() => store.ping().then(() => true), { what: 'the store to answer' });
    expect(await answered(() => store.get('c', 'k'))).toMatchObject({ value: 'before' });
  });

  describe('under an API', () => {
    let stage: Stage;
    let api: Api;
    beforeAll(async () => {
      stage = await openStage();
      api = await stage.api({ NEO4J_URI: server.uri, NEO4J_PASSWORD: server.password });
    });
    afterAll(() => stage.close());
    const failedServices = async (): Promise<string[]> =>
      (await api.get('/api/health')).body.details.failedServices;

    test('does not end it: it says so, and works again by itself', async () => {
      expect((await api.get('/api/tools/calculator')).status).toBe(200);
      await server.kill();
      const refused = await api.get('/api/tools/calculator');
      expect([refused.status, refused.body.message]).toEqual([503, 'Service unavailable']);
      expect(refused.text).not.toMatch(/bolt|Neo\./);
      // This stage has no worker.
      expect(await failedServices()).toEqual(['database', 'tools', 'workers']);
      expect((await api.get('/livez')).status).toBe(200);
      await server.restart();
      await waitFor(async () => (await failedServices()).join() === 'workers', { what: 'health to recover' });
      expect((await api.get('/api/tools/calculator')).status).toBe(200);
    });
  });
});
