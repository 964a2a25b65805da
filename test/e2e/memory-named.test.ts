import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { newUser, postSemantic } from '../support/memories';
import { type ModelHub, startModelHub } from '../support/model-hub';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import { type Api, openStage, type Stage } from '../support/stage';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { writeTinyModel } from '../support/tiny-model';
import { waitFor } from '../support/wait';

const PATHS = [
  ['/api/agent/initialize', 'memoryConfig'],
  ['/api/memory-chat/initialize', 'config'],
] as const;
const WEIGHTS = 'onnx/model_quantized.onnx';
const PASSWORD = 'operators-password';

let dir: TempDir;
let hub: ModelHub;
let stage: Stage;

beforeEach(async () => {
  dir = makeTempDir();
  hub = await startModelHub(writeTinyModel(join(dir.path, 'hub')).folder);
  stage = await openStage();
});
afterEach(async () => {
  await stage.close();
  await hub.close();
  dir.remove();
});

const embeddings = () => ({
  MEMORY_EMBEDDING_HUB_URL: hub.url,
  MEMORY_EMBEDDING_MODEL: 'someone/tiny',
  MEMORY_EMBEDDING_DIMENSIONS: '768',
});

async function expectRefused(api: Api, section: string, settings: object, field: string, words: string[]) {
  for (const [path, body] of PATHS) {
    const answer = await api.post(path, { [body]: { [section]: settings } });
    expect([answer.status, answer.body.details?.field]).toEqual([400, `${body}.${field}`]);
    for (const word of words) expect(answer.body.details.message).toContain(word);
  }
}

describe("the operator's credentials", () => {
  let pinecone: PineconeServer;
  let graphServer: Server;
  let connections: number;

  beforeEach(async () => {
    pinecone = await startPineconeServer();
    connections = 0;
    graphServer = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => graphServer.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await pinecone.close();
    await new Promise((resolve) => graphServer.close(resolve));
  });

  test('do not go with an index that a caller names, but with the configured one', async () => {
    const api = await stage.api({
      MEMORY_EMBEDDING_PROVIDER: 'lexical',
      PINECONE_API_KEY: API_KEY,
      PINECONE_INDEX: 'configured',
      PINECONE_CONTROLLER_URL: pinecone.url,
      VECTOR_STORE: 'embedded',
    });
    const before = pinecone.requests.length;
    await expectRefused(api, 'vectordb', { indexName: 'others' }, 'vectordb.indexName', ['vectordb.apiKey']);
    const isOthers = { indexName: 'others', environment: 'us-east-1' };
    await expectRefused(api, 'vectordb', isOthers, 'vectordb.indexName', ['vectordb.apiKey']);
    expect(pinecone.requests).toHaveLength(before);

    for (const vectordb of [{ indexName: 'configured' }, { indexName: 'own', apiKey: API_KEY }]) {
      const { status } = await api.post('/api/agent/initialize', {
        memoryConfig: { vectordb },
        replace: true,
      });
      expect([vectordb, status]).toEqual([vectordb, 200]);
    }
  });

  test('do not go with a database that a caller names, but with the configured one', async () => {
    const { port } = graphServer.address() as AddressInfo;
    const api = await stage.api({
      MEMORY_EMBEDDING_PROVIDER: 'lexical',
      GRAPH_STORE: 'embedded',
      NEO4J_URI: `bolt://127.0.0.1:${port}`,
      NEO4J_PASSWORD: PASSWORD,
      NEO4J_DATABASE: 'configured',
    });
    const needs = ['graphdb.username', 'graphdb.password'];
    for (const more of [{}, { username: 'neo4j' }, { password: 'mine' }]) {
      await expectRefused(api, 'graphdb', { database: 'crm', ...more }, 'graphdb.database', needs);
    }
    expect(connections).toBe(0);

    // The server is not a Neo4j server, so requests are answered with 503.
    const own = { database: 'crm', username: 'me', password: 'mine' };
    for (const graphdb of [{ database: 'configured' }, own]) {
      const { status } = await api.post('/api/agent/initialize', { memoryConfig: { graphdb } });
      expect([graphdb, status]).toEqual([graphdb, 503]);
    }
    expect(connections).toBeGreaterThan(0);
  });
});

describe('a model that a caller names', () => {
  test('is refused by field where it is none of those that may be named, and nothing is fetched', async () => {
    const api = await stage.api({ ...embeddings(), MEMORY_EMBEDDING_PROVIDER: 'lexical' });
    const named = { model: 'someone/large', dimensions: 768 };
    await expectRefused(api, 'embedding', named, 'embedding.model', [
      'someone/tiny',
      'MEMORY_EMBEDDING_MODELS',
    ]);
    expect(hub.asked).toEqual([]);
    for (const model of ['someone/tiny', 'lexical-1']) {
      const embedding = { model, dimensions: 768 };
      const { status } = await api.post('/api/agent/initialize', {
        memoryConfig: { embedding },
        replace: true,
      });
      expect([model, status]).toEqual([model, 200]);
    }
  });

  test('is taken where the settings list it', async () => {
    const api = await stage.api({
      ...embeddings(),
      MEMORY_EMBEDDING_PROVIDER: 'lexical',
      MEMORY_EMBEDDING_MODELS: 'someone/other, someone/third',
    });
    const embedding = { model: 'someone/third', dimensions: 768 };
    const { status } = await api.post('/api/agent/initialize', { memoryConfig: { embedding } });
    expect(status).toBe(200);
    expect(hub.asked.filter((path) => path.endsWith(WEIGHTS))).toHaveLength(1);
    await expectRefused(api, 'embedding', { model: 'someone/large' }, 'embedding.model', ['someone/other']);
  });
});

test('API and worker fetch a model once, and go on with it where the one that fetched it is killed', async () => {
  hub.on(WEIGHTS, 'hold');
  const settings = { ...embeddings(), MEMORY_EMBEDDING_PROVIDER: 'transformers' };
  const weights = () => hub.asked.filter((path) => path.endsWith(WEIGHTS)).length;
  const first = await stage.api(settings);
  await waitFor(() => weights() === 1, { what: 'the first download' });
  const worker = await stage.worker(settings);
  await worker.line('another process is downloading');
  expect(weights()).toBe(1);
  await first.process.kill();
  await waitFor(() => weights() === 2, { what: 'the worker to download' });
  hub.on(WEIGHTS, 'send');
  hub.release();
  const second = await stage.api(settings);
  await waitFor(async () => (await postSemantic(second, { userId: newUser() })).status === 201, {
    what: 'the model to be there',
  });
  expect(weights()).toBe(2);
});
