import { randomBytes } from 'node:crypto';
import type { NamedStores, StoreSettings } from '../../src/memory/stores/settings';
import { filesWith } from '../support/history-texts';
import {
  addConcept,
  countConcepts,
  initialize,
  OWN_VECTORS,
  PINECONE,
  replaceBy,
  useMemorySystems,
} from '../support/memory-systems';
import { API_KEY } from '../support/pinecone-server/server';

const WEIGHTS = 'onnx/model_quantized.onnx';
const TINY: StoreSettings = { embedding: { model: 'someone/tiny', dimensions: 768 } };
const { open, dir, hub, pinecone, lines } = useMemorySystems();

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

test('stores are named once; others need the permission to replace them', async () => {
  const system = open();
  const hasIndex = async () => (await system.open()).index !== undefined;
  await initialize(system, 'agent', PINECONE);
  for (const named of [PINECONE, {}, { vectordb: {} }]) await initialize(system, 'memory-chat', named);
  expect(await hasIndex()).toBe(true);
  const others: NamedStores[] = [OWN_VECTORS, { vectordb: { apiKey: API_KEY, indexName: 'other' } }];
  for (const named of others)
    await expect(initialize(system, 'memory-chat', named)).rejects.toMatchObject({
      code: 'STORES_ALREADY_SET',
      retryable: false,
      details: { sections: ['vectordb'] },
    });
  // A section that was not named yet is taken.
  await initialize(system, 'agent', { embedding: { model: 'lexical-1', dimensions: 256 } });
  expect((await replaceBy(system, PINECONE)).formerStores).toEqual([]);
  await replaceBy(system, OWN_VECTORS);
  expect(await hasIndex()).toBe(false);
  expect((await system.open()).hasSemantic).toBe(true);
});

test('initializations at once all count, and one of those that name others is refused', async () => {
  const systems = [open(), open(), open()];
  const other: StoreSettings = { vectordb: { apiKey: API_KEY, indexName: 'other' } };
  const named = await Promise.allSettled([
    ...systems.map((system) => initialize(system, 'agent', {})),
    initialize(systems[0]!, 'memory-chat', PINECONE),
    initialize(systems[1]!, 'memory-chat', other),
  ]);
  expect(named.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ code: 'STORES_ALREADY_SET' }) },
  ]);
  for (const { configuration, open: openMemory } of systems) {
    await configuration.requireInitialized('agent');
    expect((await openMemory()).index).toBeDefined();
  }
});

test('a key that is refused is told, without the key, and nothing changes', async () => {
  const system = open();
  await addConcept(system, 'ann', 'kettle');
  const refused = initialize(system, 'agent', { vectordb: { apiKey: 'pcsk_wrong_key' } });
  await expect(refused).rejects.toMatchObject({
    code: 'MEMORY_UNAVAILABLE',
    details: { service: 'vectordb', reason: expect.stringContaining('vectordb.apiKey') },
  });
  await expect(refused).rejects.not.toThrow(/pcsk_wrong_key/);
  expect(await system.configuration.isInitialized('agent')).toBe(false);
  expect(await countConcepts(system, 'ann')).toBe(1);
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
  expect(filesWith('memory-stores', dir().path)).not.toEqual([]);
  expect(filesWith(API_KEY, dir().path)).toEqual([]);
  expect(lines().join('\n')).not.toContain(API_KEY);
});

test('settings sealed with another key stop memories, and another initialization mends that', async () => {
  await initialize(open(), 'agent', PINECONE);
  const other = open({}, randomBytes(32));
  expect(await other.configuration.isInitialized('agent')).toBe(true);
  await expect(countConcepts(other, 'ann')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('SECRETS_KEY'),
  });
  expect((await other.configuration.connectivity()).graphdb.state).toBe('unavailable');
  await expect(initialize(other, 'agent', {})).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await replaceBy(other, {});
  expect(await countConcepts(other, 'ann')).toBe(0);
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
  await addConcept(system, 'ann', 'kettle');
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
  await replaceBy(system, OWN_VECTORS);
  await addConcept(system, 'ann', 'kettle');
  expect(lines().filter((line) => line.includes('loaded and calibrated'))).toHaveLength(1);
  expect(hub().asked.filter((path) => path.endsWith(WEIGHTS))).toHaveLength(1);
});

test('a model that takes long to come is told, and the next initialization finds it', async () => {
  hub().on(WEIGHTS, 'hold');
  const system = open();
  await expect(initialize(system, 'agent', TINY)).rejects.toMatchObject({
    code: 'MEMORY_UNAVAILABLE',
    details: { service: 'embedder', reason: expect.stringMatching(/is being downloaded \(\d+ %\)/) },
  });
  hub().release();
  await initialize(system, 'agent', TINY);
  expect(hub().asked.filter((path) => path.endsWith(WEIGHTS))).toHaveLength(1);
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
  await pinecone().close();
  expect(await none.configuration.connectivity()).toEqual({
    graphdb: { state: 'connected' },
    vectordb: { state: 'unavailable', reason: expect.any(String) },
  });
});
