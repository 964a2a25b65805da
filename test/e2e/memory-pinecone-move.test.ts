import { LEXICAL, addSemantic, idsOf, newUser, putSemantic, searchSemantic } from '../support/memories';
import { INDEX_NAME } from '../support/pinecone-index';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const CONCEPTS = 60;

let pinecone: PineconeServer;
let stage: Stage;

beforeAll(async () => {
  pinecone = await startPineconeServer();
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  await pinecone.close();
});

const settings = (dimensions: number): Record<string, string> => ({
  ...LEXICAL,
  MEMORY_EMBEDDING_DIMENSIONS: String(dimensions),
  VECTOR_STORE: 'pinecone',
  PINECONE_API_KEY: API_KEY,
  PINECONE_INDEX: INDEX_NAME,
  PINECONE_CONTROLLER_URL: pinecone.url,
});

/** Ids in all namespaces of an index. */
const idsIn = (name: string): string[] =>
  [...pinecone.index(name).data.namespaces.values()].flatMap(({ vectors }) => [...vectors.keys()]);

const search = (api: Api, userId: string, query: string, more: object = {}) =>
  searchSemantic(api, { userId, query, threshold: 0.1, limit: 5, ...more });

test('memories move to a model of another length, to an index beside the first, and are found all the while', async () => {
  const userId = newUser();
  const [old, worker] = await Promise.all([stage.api(settings(256)), stage.worker(settings(256))]);
  const ids: string[] = [];
  for (let n = 0; n < CONCEPTS; n += 1) {
    const { id } = await addSemantic(old, {
      userId,
      concept: `island${n}`,
      metadata: { category: 'before' },
    });
    ids.push(id);
  }
  await worker.line('removed vectors that the index shows by now');
  expect(pinecone.index(INDEX_NAME).dimension).toBe(256);
  expect(new Set(idsIn(INDEX_NAME))).toEqual(new Set(ids));
  await worker.stop();

  const [moved, mover] = await Promise.all([stage.api(settings(128)), stage.worker(settings(128))]);
  const refused = await search(moved, userId, 'island7');
  expect([refused.status, refused.body.details.service]).toEqual([503, 'embedder']);

  // A process with the former settings uses the former index until the switch.
  const reindexing = moved.post('/api/memory/reindex');
  const statuses: number[] = [];
  let isMoving = true;
  const reading = (async () => {
    while (isMoving) {
      const { status, body } = await search(old, userId, 'island7');
      statuses.push(status);
      if (status === 200) expect(idsOf(body.data)[0]).toBe(ids[7]);
      else expect([status, body.details.service]).toEqual([503, 'embedder']);
    }
  })();
  const changed = await putSemantic(old, ids[3] ?? '', { metadata: { category: 'after' } });
  const { status, body } = await reindexing;
  isMoving = false;
  await reading;
  expect([status, body.data?.dimensions]).toEqual([200, 128]);
  expect([200, 503]).toContain(changed.status);
  expect(statuses[0]).toBe(200);
  expect(statuses).toEqual([...statuses].sort());

  for (const n of [0, 7, 59])
    expect(idsOf((await search(moved, userId, `island${n}`)).body.data)[0]).toBe(ids[n]);
  await mover.line('removed vectors that the index shows by now');
  await waitFor(() => new Set(idsIn(`${INDEX_NAME}-128`)).size === CONCEPTS, {
    what: 'all vectors to be in the new index',
  });
  expect(pinecone.index(`${INDEX_NAME}-128`).dimension).toBe(128);
  for (const n of [0, 7, 59])
    expect(idsOf((await search(moved, userId, `island${n}`)).body.data)[0]).toBe(ids[n]);
  const category = changed.status === 200 ? 'after' : 'before';
  const filtered = await search(moved, userId, 'island3', { filters: { categories: [category] } });
  expect(idsOf(filtered.body.data)).toContain(ids[3]);

  await waitFor(() => idsIn(INDEX_NAME).length === 0, {
    what: 'the former vectors to be taken away',
  });

  // Neither index has any vector of the user left.
  const cleared = await moved.send('DELETE', `/api/memory/clear/${userId}`);
  expect(cleared.status).toBe(200);
  expect([...idsIn(INDEX_NAME), ...idsIn(`${INDEX_NAME}-128`)]).toEqual([]);
});

test('vectors that the index has lost are made again where that is asked for', async () => {
  const own = await openStage();
  try {
    const name = 'lighthouses';
    const env = { ...settings(128), PINECONE_INDEX: name };
    const [api, worker] = await Promise.all([own.api(env), own.worker(env)]);
    const userId = newUser();
    const { id } = await addSemantic(api, { userId, concept: 'lighthouse' });
    await worker.line('removed vectors that the index shows by now');
    for (const { vectors } of pinecone.index(name).data.namespaces.values()) {
      (vectors as Map<string, unknown>).clear();
    }

    const plain = await api.post('/api/memory/reindex');
    expect([plain.status, plain.body.data?.moved]).toEqual([200, 0]);
    expect(idsIn(name)).toEqual([]);
    const again = await api.post('/api/memory/reindex', { again: true });
    expect([again.status, again.body.data?.moved]).toEqual([200, 1]);
    await waitFor(() => idsIn(name).includes(id), {
      what: 'the vector to be in the index again',
    });
    expect(idsOf((await search(api, userId, 'lighthouse')).body.data)).toEqual([id]);
  } finally {
    await own.close();
  }
});
