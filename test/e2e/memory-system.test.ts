import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadConfig } from '../../src/settings/config';
import type { Area, StoreSettings } from '../../src/memory/stores/settings';
import { createMemorySystem } from '../../src/memory/create-memory-system';
import { createDocumentStore } from '../../src/factories/create-document-store';
import { memoryBackends } from '../../src/factories/memory-backends';
import { filesWith } from '../support/history-texts';
import { startModelHub, type ModelHub } from '../support/model-hub';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import { secretsOf } from '../support/secrets';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { writeTinyModel } from '../support/tiny-model';

const KEY = randomBytes(32);
const WEIGHTS = 'onnx/model_quantized.onnx';
const never = new AbortController().signal;
let dir: TempDir;
let hub: ModelHub;
let pinecone: PineconeServer;
let opened: Record<'system' | 'documents', { close(): Promise<void> }>[];
let lines: string[];

beforeEach(async () => {
  dir = makeTempDir();
  hub = await startModelHub(writeTinyModel(join(dir.path, 'hub')).folder);
  pinecone = await startPineconeServer();
  opened = [];
  lines = [];
});

afterEach(async () => {
  for (const { system, documents } of opened) {
    await system.close();
    await documents.close();
  }
  await hub.close();
  await pinecone.close();
  dir.remove();
});

type MemorySystem = ReturnType<typeof open>;
/** Opens the system as another process on the same data does, with the memories of the default tenant. */
function open(environment: Record<string, string> = {}, key = KEY) {
  const config = loadConfig({
    DATA_DIR: join(dir.path, 'data'),
    MEMORY_EMBEDDING_PROVIDER: 'lexical',
    MEMORY_EMBEDDING_MODELS: 'someone/tiny',
    MEMORY_EMBEDDING_HUB_URL: hub.url,
    PINECONE_CONTROLLER_URL: pinecone.url,
    ...environment,
  });
  const documents = createDocumentStore({ path: join(config.DATA_DIR, 'holdfast.db') });
  const note = (...entry: unknown[]) => void lines.push(JSON.stringify(entry));
  const { pseudonyms, ...keyed } = secretsOf(key);
  const whole = createMemorySystem({
    config,
    backends: memoryBackends,
    documents,
    ...keyed,
    pseudonyms,
    logger: { info: note, warn: note } as never,
  });
  const system = { ...whole, ...whole.of({ tenant: 'default', documents, pseudonyms }) };
  opened.push({ system, documents });
  return system;
}

const initialize = ({ configuration }: MemorySystem, area: Area, settings: StoreSettings) =>
  configuration.initialize(area, settings, never);
const remember = ({ stores }: MemorySystem, userId: string, concept: string) =>
  stores.use(({ service }) => service.semantic().create({ userId, concept, description: '' }));
const countOf = async ({ stores }: MemorySystem, userId: string): Promise<number> =>
  (await stores.use(({ service }) => service.overview.stats(userId))).semantic.count;

const PINECONE: StoreSettings = {
  vectordb: { apiKey: API_KEY, indexName: 'mine', environment: 'us-east-1' },
};
const OWN_INDEX = { PINECONE_API_KEY: API_KEY, PINECONE_INDEX: 'mine' };
const TINY: StoreSettings = { embedding: { model: 'someone/tiny', dimensions: 768 } };

test('an area is initialized by its own initialization, for every process and for good', async () => {
  const [first, second] = [open(), open()];
  await expect(first.configuration.requireInitialized('agent')).rejects.toMatchObject({
    code: 'AGENT_NOT_INITIALIZED',
  });
  await initialize(first, 'agent', {});
  await second.configuration.requireInitialized('agent');
  expect(await second.configuration.isInitialized('memory-chat')).toBe(false);
  await expect(second.configuration.requireInitialized('memory-chat')).rejects.toMatchObject({
    code: 'MEMORY_CHAT_NOT_INITIALIZED',
  });
  expect(await open().configuration.isInitialized('agent')).toBe(true);
});

test('work that has begun ends on the stores that it began on; what begins later is on the new ones', async () => {
  const [first, second] = [open(), open()];
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const slow = second.allStores.use(async (memory) => {
    await held;
    await memory.graph.ping();
    return memory.index;
  });
  await initialize(first, 'agent', PINECONE);
  expect(await second.stores.use(({ index }) => Promise.resolve(index))).toBeDefined();
  goOn();
  expect(await slow).toBeUndefined();
});

test('what an area does not name is taken from the other, and an empty body of the same area takes it back', async () => {
  const system = open();
  const hasIndex = () => system.stores.use(({ index }) => Promise.resolve(index !== undefined));
  await initialize(system, 'agent', PINECONE);
  await initialize(system, 'memory-chat', {});
  expect(await hasIndex()).toBe(true);
  await initialize(system, 'agent', {});
  expect(await hasIndex()).toBe(false);
});

test('initializations at once all count, and the last of each area stays', async () => {
  const systems = [open(), open(), open()];
  await Promise.all(
    systems.flatMap((system) => [
      initialize(system, 'agent', {}),
      initialize(system, 'memory-chat', PINECONE),
    ]),
  );
  for (const { configuration, stores } of systems) {
    await configuration.requireInitialized('agent');
    expect(await stores.use(({ index }) => Promise.resolve(index !== undefined))).toBe(true);
  }
});

test('a key that is refused is told, without the key, and nothing changes', async () => {
  const system = open();
  await remember(system, 'ann', 'kettle');
  const refused = initialize(system, 'agent', { vectordb: { apiKey: 'pcsk_wrong_key' } });
  await expect(refused).rejects.toMatchObject({
    code: 'MEMORY_UNAVAILABLE',
    details: { service: 'vectordb', reason: expect.stringContaining('vectordb.apiKey') },
  });
  await expect(refused).rejects.not.toThrow(/pcsk_wrong_key/);
  expect(await system.configuration.isInitialized('agent')).toBe(false);
  expect(await countOf(system, 'ann')).toBe(1);
});

test('vectors of another length have an index of their own', async () => {
  await initialize(open(), 'agent', PINECONE);
  const other = open({ MEMORY_EMBEDDING_DIMENSIONS: '256' });
  await expect(initialize(other, 'agent', PINECONE)).resolves.toMatchObject({
    embedding: { dimensions: 256 },
  });
});

test('a name that no index can have is told', async () => {
  const system = open();
  await expect(
    initialize(system, 'agent', { vectordb: { apiKey: API_KEY, indexName: 'No Such Name' } }),
  ).rejects.toMatchObject({ code: 'MEMORY_UNAVAILABLE', details: { service: 'vectordb' } });
});

test('nothing of what was given is readable at rest', async () => {
  const system = open();
  await initialize(system, 'agent', PINECONE);
  await initialize(system, 'memory-chat', {});
  expect(filesWith('memory-stores', dir.path)).not.toEqual([]);
  expect(filesWith(API_KEY, dir.path)).toEqual([]);
  expect(lines.join('\n')).not.toContain(API_KEY);
});

test('settings sealed with another key stop memories, and another initialization mends that', async () => {
  await initialize(open(), 'agent', PINECONE);
  const other = open({}, randomBytes(32));
  expect(await other.configuration.isInitialized('agent')).toBe(true);
  await expect(countOf(other, 'ann')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('SECRETS_KEY'),
  });
  expect((await other.configuration.connectivity()).graphdb.state).toBe('unavailable');
  await initialize(other, 'agent', {});
  expect(await countOf(other, 'ann')).toBe(0);
});

test('the policy for outgoing connections holds for addresses that are named', async () => {
  const strict = open({ EGRESS_ALLOW_PRIVATE: 'false' });
  for (const uri of ['bolt://127.0.0.1:7687', 'bolt://localhost', 'neo4j://[::1]:7687', 'bolt://0x7f.1']) {
    await expect(initialize(strict, 'agent', { graphdb: { uri, password: 'p' } })).rejects.toMatchObject({
      code: 'MEMORY_UNAVAILABLE',
      details: { service: 'graphdb', reason: expect.stringMatching(/loopback address.*graphdb\.uri/) },
    });
  }
  for (const uri of ['bolt://169.254.169.254', 'neo4j+s://2852039166:7687', 'bolt://[fd00:ec2::254]']) {
    await expect(initialize(open(), 'agent', { graphdb: { uri, password: 'p' } })).rejects.toMatchObject({
      details: { reason: expect.stringContaining('never allowed') },
    });
  }
});

test('a model has to be that of the memories that are there', async () => {
  const system = open();
  await remember(system, 'ann', 'kettle');
  await expect(initialize(system, 'memory-chat', TINY)).rejects.toMatchObject({
    code: 'MEMORY_UNAVAILABLE',
    details: { service: 'embedder', reason: expect.stringMatching(/embedded by lexical:lexical-1 \(768/) },
  });
  await expect(initialize(system, 'memory-chat', { embedding: { dimensions: 384 } })).rejects.toMatchObject({
    details: { service: 'embedder' },
  });
  const { embedding } = await initialize(system, 'memory-chat', { embedding: { model: 'lexical-1' } });
  expect(embedding).toEqual({ provider: 'lexical', model: 'lexical-1', dimensions: 768 });
});

test('a model of other dimensions than named is told', async () => {
  await expect(
    initialize(open(), 'agent', { embedding: { model: 'someone/tiny', dimensions: 384 } }),
  ).rejects.toMatchObject({
    code: 'MEMORY_UNAVAILABLE',
    details: { service: 'embedder', reason: expect.stringMatching(/makes vectors of 768 dimensions/) },
  });
});

test('a model that is named is loaded once, and not again when the stores change around it', async () => {
  const system = open();
  const { embedding } = await initialize(system, 'agent', TINY);
  expect(embedding).toEqual({ provider: 'transformers', model: 'someone/tiny', dimensions: 768 });
  await initialize(system, 'memory-chat', PINECONE);
  await initialize(system, 'memory-chat', {});
  await remember(system, 'ann', 'kettle');
  expect(lines.filter((line) => line.includes('loaded and calibrated'))).toHaveLength(1);
  expect(hub.asked.filter((path) => path.endsWith(WEIGHTS))).toHaveLength(1);
});

test('a model that takes long to come is told, and the next initialization finds it', async () => {
  hub.on(WEIGHTS, 'hold');
  const system = open();
  await expect(initialize(system, 'agent', TINY)).rejects.toMatchObject({
    code: 'MEMORY_UNAVAILABLE',
    details: { service: 'embedder', reason: expect.stringMatching(/is being downloaded \(\d+ %\)/) },
  });
  hub.release();
  await initialize(system, 'agent', TINY);
  expect(hub.asked.filter((path) => path.endsWith(WEIGHTS))).toHaveLength(1);
});

test('connectivity is asked of the stores, and told in one word and a reason', async () => {
  const none = open({ VECTOR_STORE: 'none' });
  expect(await none.configuration.connectivity()).toEqual({
    graphdb: { state: 'connected' },
    vectordb: { state: 'not configured' },
  });
  await initialize(none, 'agent', PINECONE);
  expect(await none.configuration.connectivity()).toEqual({
    graphdb: { state: 'connected' },
    vectordb: { state: 'connected' },
  });
  await pinecone.close();
  expect(await none.configuration.connectivity()).toEqual({
    graphdb: { state: 'connected' },
    vectordb: { state: 'unavailable', reason: expect.any(String) },
  });
});

test('an erasure ends on the stores that it began on, and tells which former ones it did not reach', async () => {
  const system = open();
  await initialize(system, 'agent', PINECONE);
  await remember(system, 'ann', 'kettle');
  const erasureId = await system.erasures.begin('ann', 'a-run');
  expect((await initialize(system, 'agent', {})).leftBehind).toEqual(['vectordb']);
  expect(await system.erasures.step(erasureId, never)).toEqual({
    episodic: 0,
    semantic: 1,
    relations: 0,
    archived: 0,
    done: true,
  });
  expect(await system.erasures.finish(erasureId, never)).toEqual({ unreached: 0 });
  expect(await system.erasures.finish(erasureId, never)).toEqual({ unreached: 0 });

  const next = await system.erasures.begin('ann', 'a-run');
  await pinecone.close();
  expect(await system.erasures.step(next, never)).toMatchObject({ done: true });
  expect(await system.erasures.finish(next, never)).toEqual({ unreached: 1 });
  await remember(system, 'ann', 'teapot');
  expect(await countOf(system, 'ann')).toBe(1);
});

test('a moving that began in other stores is told to begin again', async () => {
  await remember(open({ MEMORY_EMBEDDING_DIMENSIONS: '256' }), 'ann', 'kettle');
  const system = open();
  const { spaceId, store } = await system.reindex.open(never);
  expect(await system.reindex.page({ spaceId, store }, never)).toMatchObject({ moved: 1 });
  // An initialization with the configured model is allowed while its memories still have to be moved.
  await initialize(system, 'agent', {});
  expect(await system.reindex.switchTo(spaceId, store)).toBe(true);
  await initialize(system, 'agent', PINECONE);
  const begunElsewhere = {
    code: 'EMBEDDING_MODEL_CHANGED',
    message: expect.stringContaining('begin it again'),
  };
  await expect(system.reindex.page({ spaceId, store }, never)).rejects.toMatchObject(begunElsewhere);
  await expect(system.reindex.switchTo(spaceId, store)).rejects.toMatchObject(begunElsewhere);
});

test('memories move once more to the model they are at where that is asked for', async () => {
  const system = open();
  await remember(system, 'ann', 'kettle');
  expect(await system.reindex.open(never)).toMatchObject({ spaceId: 1, isCurrent: true });
  const { spaceId, isCurrent } = await system.reindex.open(never, true);
  expect([spaceId > 1, isCurrent]).toEqual([true, false]);
  expect((await system.reindex.open(never, true)).spaceId).toBe(spaceId);
  expect(await system.reindex.switchTo(spaceId)).toBe(false);
  expect(await system.reindex.page({ spaceId }, never)).toMatchObject({ moved: 1 });
  expect(await system.reindex.switchTo(spaceId)).toBe(true);
  expect(await system.reindex.open(never)).toMatchObject({ spaceId, isCurrent: true });
});

test('while stores change again and again nothing fails, nothing is lost, and everybody ends on the same', async () => {
  const systems = [open(), open()];
  let going = true;
  const write = async (system: MemorySystem): Promise<number> => {
    let written = 0;
    for (; going; written += 1) {
      await remember(system, 'ann', `kettle ${written}`);
      // Another request may come in between here, because the embedded store itself waits for nothing.
      await nextTurn();
    }
    return written;
  };
  const writers = systems.flatMap((system) => [write(system), write(system)]);
  try {
    for (let n = 0; n < 6; n += 1) {
      await initialize(systems[n % 2] ?? open(), 'agent', n % 2 === 0 ? PINECONE : {});
    }
  } finally {
    going = false;
  }
  const written = (await Promise.all(writers)).reduce((sum, each) => sum + each, 0);
  expect(written).toBeGreaterThan(0);
  for (const system of systems) {
    expect(await countOf(system, 'ann')).toBe(written);
    expect(await system.stores.use(({ index }) => Promise.resolve(index))).toBeUndefined();
  }
});

test('settings that the environment does not complete any more are told, and may be mended', async () => {
  await initialize(open(OWN_INDEX), 'agent', { vectordb: { indexName: 'mine' } });
  const without = open();
  await expect(countOf(without, 'ann')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    details: { reason: expect.stringContaining('vectordb.apiKey is needed') },
  });
  await initialize(without, 'agent', {});
  expect(await countOf(without, 'ann')).toBe(0);
});

test('a store that the steps of an erasure did not reach and its end did is emptied all the same', async () => {
  const system = open();
  await remember(system, 'ann', 'kettle');
  await initialize(system, 'agent', PINECONE);
  await initialize(system, 'agent', {});
  const erasureId = await system.erasures.begin('ann', 'a-run');
  expect(await system.erasures.finish(erasureId, never)).toEqual({ unreached: 0 });
  expect(await countOf(system, 'ann')).toBe(0);
});

test('an erasure ends earlier ones of the user that did not, on their stores too, and nothing of them stays', async () => {
  const system = open();
  await remember(system, 'ann', 'kettle');
  const lost = await system.erasures.begin('ann', 'a-run-that-never-was');
  await initialize(system, 'agent', PINECONE);
  const next = await system.erasures.begin('ann', 'another-run');
  expect((await system.erasures.list()).map(({ workflowId }) => workflowId).sort()).toEqual([
    'a-run-that-never-was',
    'another-run',
  ]);
  await system.erasures.step(next, never);
  await system.erasures.finish(next, never);
  expect(await system.erasures.list()).toEqual([]);
  expect(await system.erasures.userOf(lost)).toBeUndefined();
  expect(await system.erasures.isUnderWay('ann')).toBe(false);
  await remember(system, 'ann', 'teapot');
  expect(await countOf(system, 'ann')).toBe(1);
});

test('a former store that the environment does not complete any more counts as not reached, and is not forgotten', async () => {
  const complete = open(OWN_INDEX);
  await initialize(complete, 'agent', { vectordb: { indexName: 'mine' } });
  await remember(complete, 'ann', 'kettle');
  const without = open();
  await initialize(without, 'agent', {});
  await initialize(without, 'agent', {});
  const first = await without.erasures.begin('ann', 'a-run');
  await without.erasures.step(first, never);
  expect(await without.erasures.finish(first, never)).toEqual({ unreached: 1 });
  const again = open(OWN_INDEX);
  const second = await again.erasures.begin('ann', 'a-run');
  expect(await again.erasures.finish(second, never)).toEqual({ unreached: 0 });
});
