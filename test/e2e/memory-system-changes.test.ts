import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDocumentStore } from '../../src/factories/create-stores';
import {
  addConcept,
  countConcepts,
  initialize,
  KEY,
  never,
  type OpenedSystem,
  OWN_INDEX,
  OWN_VECTORS,
  PINECONE,
  replaceBy,
  useMemorySystems,
} from '../support/memory-systems';
import { API_KEY } from '../support/pinecone-server/server';
import { secretsOf } from '../support/secrets';

const { open, dir } = useMemorySystems();

test('reads that have begun end on the stores that they began on; what begins later is on the new ones', async () => {
  const [first, second] = [open(), open()];
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const slow = second.openStores().then(async (stores) => {
    await held;
    await stores.graph.ping();
    return stores.index;
  });
  await (await second.openStores()).graph.ping();
  await initialize(first, 'agent', PINECONE);
  expect((await second.open()).index).toBeDefined();
  goOn();
  expect(await slow).toBeUndefined();
});

test('stores that others have replaced refuse writes for ever', async () => {
  const system = open();
  const before = await system.open();
  await initialize(system, 'agent', PINECONE);
  const concept = { userId: 'ann', concept: 'kettle', description: '' };
  const refused = { code: 'STORE_UNAVAILABLE', retryable: true };
  await expect(before.semantic().create(concept)).rejects.toMatchObject(refused);
  // Facts and archived copies are documents of their graph.
  await expect(before.facts.forget('ann', 'a-memory')).rejects.toMatchObject(refused);
  await (await system.open()).semantic().create(concept);
  await replaceBy(system, OWN_VECTORS);
  await expect(before.semantic().create(concept)).rejects.toMatchObject(refused);
  expect(await countConcepts(system, 'ann')).toBe(1);
});

test('an erasure ends on the stores in use, and its receipt names former ones that may hold memories', async () => {
  const system = open();
  await initialize(system, 'agent', PINECONE);
  await addConcept(system, 'ann', 'kettle');
  const erasureId = await system.erasures.begin('ann', 'a-run');
  const { formerStores } = await replaceBy(system, OWN_VECTORS);
  const former = {
    store: 'vectordb',
    place: 'pinecone:mine',
    replacedAt: expect.any(String),
    heldMemories: true,
    users: 1,
  };
  expect(formerStores).toEqual([former]);
  expect(JSON.stringify(formerStores)).not.toContain(API_KEY);
  expect(await system.erasures.step(erasureId, never)).toEqual({
    episodic: 0,
    semantic: 1,
    relations: 0,
    archived: 0,
    done: true,
  });
  expect(await system.erasures.finish(erasureId, never)).toEqual({ unreached: 1 });
  expect(await system.erasures.finish(erasureId, never)).toEqual({ unreached: 0 });
  const { statement = '' } = (await system.receipts.find(erasureId)) ?? {};
  expect(JSON.parse(statement)).toMatchObject({
    stores: { erased: 1, notReached: 1 },
    formerStores: [former],
  });
  await addConcept(system, 'ann', 'teapot');
  expect(await countConcepts(system, 'ann')).toBe(1);
  // A store in use again is no former one.
  expect((await replaceBy(system, PINECONE)).formerStores).toEqual([]);
});

test('an erasure that a build before had begun, with its stores, ends on the stores in use', async () => {
  const system = open();
  await addConcept(system, 'ann', 'kettle');
  const { documents } = system;
  const { secrets, pseudonyms } = secretsOf(KEY);
  const erasure = { userId: 'ann', workflowId: 'a-run', since: 1, stores: [PINECONE, {}], earlier: [] };
  const value = { sealed: secrets.seal(JSON.stringify(erasure), 'erasures') };
  await documents.write([
    { type: 'put', collection: 'erasures', key: 'an-erasure', value },
    {
      type: 'put',
      collection: 'erasing-users',
      key: pseudonyms('erasing-users', 'ann'),
      value: 'an-erasure',
    },
  ]);
  const { erasures } = system;
  const isErasing = (name: string): Promise<boolean> => erasures.isUnderWayFor((user) => user === name);
  expect([await isErasing('ann'), await isErasing('bob')]).toEqual([true, false]);
  expect(await erasures.step('an-erasure', never)).toMatchObject({ semantic: 1, done: true });
  expect(await erasures.finish('an-erasure', never)).toEqual({ unreached: 0 });
  expect([await erasures.isUnderWay('ann'), await isErasing('ann')]).toEqual([false, false]);
});

test('the stores of a record of a build before are in use, and its former ones are named by place', async () => {
  const documents = createDocumentStore({ path: join(dir().path, 'data', 'holdfast.db') });
  const { secrets } = secretsOf(KEY);
  const seal = (settings: object) => secrets.seal(JSON.stringify(settings), 'memory-stores');
  const value = {
    initializations: [
      { area: 'memory-chat', at: new Date(1).toISOString(), sealed: seal({}) },
      { area: 'agent', at: new Date(0).toISOString(), sealed: seal(PINECONE) },
    ],
    former: [
      seal({ vectordb: { apiKey: API_KEY, indexName: 'other' } }),
      seal({ graphdb: { uri: 'bolt://db:7687', password: 'p', database: 'crm' } }),
    ],
  };
  await documents.write([{ type: 'put', collection: 'service-state', key: 'memory-stores', value }]);
  await documents.close();
  const system = open();
  expect((await system.open()).index).toBeDefined();
  expect((await initialize(system, 'agent', {})).formerStores).toEqual([
    { store: 'vectordb', place: 'pinecone:other', heldMemories: 'unknown' },
    { store: 'graphdb', place: 'bolt://db:7687/crm', heldMemories: 'unknown' },
  ]);
});

test('a moving that began in other stores is told to begin again', async () => {
  await addConcept(open({ MEMORY_EMBEDDING_DIMENSIONS: '256' }), 'ann', 'kettle');
  const system = open();
  const { spaceId, store } = await (await system.openStores()).reindex.open(never);
  expect(await (await system.openStores()).reindex.page({ spaceId, store }, never)).toMatchObject({
    moved: 1,
  });
  // An initialization with the configured model is allowed while its memories still have to be moved.
  await initialize(system, 'agent', {});
  expect(await (await system.openStores()).reindex.switchTo(spaceId, store)).toBe(true);
  await initialize(system, 'agent', PINECONE);
  const begunElsewhere = {
    code: 'EMBEDDING_MODEL_CHANGED',
    message: expect.stringContaining('begin it again'),
  };
  await expect((await system.openStores()).reindex.page({ spaceId, store }, never)).rejects.toMatchObject(
    begunElsewhere,
  );
  await expect((await system.openStores()).reindex.switchTo(spaceId, store)).rejects.toMatchObject(
    begunElsewhere,
  );
});

test('memories move once more to the model they are at where that is asked for', async () => {
  const system = open();
  await addConcept(system, 'ann', 'kettle');
  expect(await (await system.openStores()).reindex.open(never)).toMatchObject({
    spaceId: 1,
    isCurrent: true,
  });
  const { spaceId, isCurrent } = await (await system.openStores()).reindex.open(never, true);
  expect([spaceId > 1, isCurrent]).toEqual([true, false]);
  expect((await (await system.openStores()).reindex.open(never, true)).spaceId).toBe(spaceId);
  expect(await (await system.openStores()).reindex.switchTo(spaceId)).toBe(false);
  expect(await (await system.openStores()).reindex.page({ spaceId }, never)).toMatchObject({ moved: 1 });
  expect(await (await system.openStores()).reindex.switchTo(spaceId)).toBe(true);
  expect(await (await system.openStores()).reindex.open(never)).toMatchObject({ spaceId, isCurrent: true });
});

test('while stores change again and again nothing is lost, and everybody ends on the same', async () => {
  const systems = [open(), open()];
  let going = true;
  let refused = 0;
  const write = async (system: OpenedSystem): Promise<number> => {
    let written = 0;
    while (going) {
      try {
        await addConcept(system, 'ann', `kettle ${written}`);
        written += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
        refused += 1;
      }
      // Another request may come in between here, because the embedded store itself waits for nothing.
      await nextTurn();
    }
    return written;
  };
  const writers = systems.flatMap((system) => [write(system), write(system)]);
  try {
    for (let n = 0; n < 6; n += 1) await replaceBy(systems[n % 2]!, n % 2 === 0 ? PINECONE : OWN_VECTORS);
  } finally {
    going = false;
  }
  const written = (await Promise.all(writers)).reduce((sum, each) => sum + each, 0);
  expect(Math.min(written, refused)).toBeGreaterThan(0);
  for (const system of systems) {
    expect(await countConcepts(system, 'ann')).toBe(written);
    expect((await system.open()).index).toBeUndefined();
  }
});

test('settings that the environment does not complete any more are told, and may be mended', async () => {
  await initialize(open(OWN_INDEX), 'agent', { vectordb: { indexName: 'mine' } });
  const without = open();
  await expect(countConcepts(without, 'ann')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    details: { reason: expect.stringContaining('vectordb.apiKey is needed') },
  });
  expect((await replaceBy(without, OWN_VECTORS)).formerStores).toMatchObject([
    { store: 'vectordb', place: 'pinecone:mine', heldMemories: 'unknown' },
  ]);
  expect(await countConcepts(without, 'ann')).toBe(0);
});

test('memories that the steps of an erasure did not find are erased at its end', async () => {
  const system = open();
  await addConcept(system, 'ann', 'kettle');
  const erasureId = await system.erasures.begin('ann', 'a-run');
  expect(await system.erasures.finish(erasureId, never)).toEqual({ unreached: 0 });
  expect(await countConcepts(system, 'ann')).toBe(0);
});

test('an erasure ends earlier ones of the user that did not, and nothing of them stays', async () => {
  const system = open();
  await addConcept(system, 'ann', 'kettle');
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
  await addConcept(system, 'ann', 'teapot');
  expect(await countConcepts(system, 'ann')).toBe(1);
});
