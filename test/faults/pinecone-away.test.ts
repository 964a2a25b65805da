import { startLoad } from '../support/load';
import type { Answer } from '../support/http';
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
  postEpisodic,
  postSemantic,
  putSemantic,
  searchEpisodic,
  searchMemory,
  searchSemantic,
} from '../support/memories';
import { API_KEY, type PineconeServer, startPineconeServer } from '../support/pinecone-server/server';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const NAME = 'holdfast';

let pinecone: PineconeServer;
let stage: Stage;
let api: Api;

beforeAll(async () => {
  pinecone = await startPineconeServer();
  stage = await openStage();
  const settings = {
    ...LEXICAL,
    VECTOR_STORE: 'pinecone',
    PINECONE_API_KEY: API_KEY,
    PINECONE_INDEX: NAME,
    PINECONE_CONTROLLER_URL: pinecone.url,
  };
  [api] = await Promise.all([stage.api(settings), stage.worker(settings)]);
});
afterAll(async () => {
  await stage.close();
  await pinecone.close();
});

function expectUnavailable({ status, body, headers }: Answer): void {
  expect([status, body.success, body.error, body.details, headers.get('retry-after')]).toEqual([
    503,
    false,
    'Service unavailable',
    { service: 'vectordb', reason: expect.stringMatching(/Pinecone/) },
    '1',
  ]);
}

const idsInIndex = (): Set<string> =>
  new Set([...pinecone.index(NAME).data.namespaces.values()].flatMap(({ vectors }) => [...vectors.keys()]));

test('a Pinecone that stops under readers and writers costs what needs it, and nothing that was acknowledged', async () => {
  const userId = newUser();
  const leaver = newUser();
  const early = await addSemantic(api, { userId, concept: 'lighthouse' });
  const event = await addEpisodic(api, { userId, content: 'a walk to the lighthouse' });
  const doomed = await addSemantic(api, { userId, concept: 'shipwreck' });
  await addSemantic(api, { userId: leaver, concept: 'harbour' });
  await waitFor(() => idsInIndex().has(doomed.id), {
    what: 'the first vectors to be put',
  });

  let writing = true;
  const until = async (call: () => Promise<Answer>): Promise<Answer> => {
    if (!writing) throw new Error('enough');
    return call();
  };
  const writes = startLoad(3, 100_000, (n) =>
    until(() =>
      n % 3 === 0
        ? postEpisodic(api, { userId, content: `event${n}` })
        : postSemantic(api, { userId, concept: `concept${n}` }),
    ),
  );
  const reads = startLoad(3, 100_000, () =>
    until(() => searchSemantic(api, { userId, query: 'lighthouse' })),
  );
  await Promise.all([writes.reached(60), reads.reached(10)]);
  await pinecone.stop();
  const [written, read] = [writes.answers.length, reads.answers.length];
  await Promise.all([writes.reached(written + 60), reads.reached(read + 6)]);

  expectUnavailable(await searchSemantic(api, { userId, query: 'lighthouse' }));
  expectUnavailable(await searchMemory(api, { userId, query: 'lighthouse' }));
  expectUnavailable(await api.get(`/api/memory/context/${userId}/session-1`));

  const goesOn: [string, number, Answer][] = [
    ['an event', 200, await getEpisodic(api, event.id)],
    ['a concept', 200, await getSemantic(api, early.id)],
    ['a change of it', 200, await putSemantic(api, early.id, { metadata: { category: 'coast' } })],
    ['a deletion', 200, await api.send('DELETE', `/api/memory/semantic/${doomed.id}`)],
    ['events by conditions', 200, await searchEpisodic(api, { userId, limit: 5 })],
    ['events by meaning', 200, await searchMemory(api, { userId, query: 'lighthouse', type: 'episodic' })],
    ['a list', 200, await api.get(`/api/memory/list/${userId}?type=semantic`)],
    ['figures', 200, await api.get(`/api/memory/stats/${userId}`)],
    ['relations', 200, await api.get(`/api/memory/related/${early.id}`)],
    ['an export', 200, await api.get(`/api/memory/export/${userId}`)],
    ['health', 200, await api.get('/api/health')],
    ['a tool', 200, await api.post('/api/tools/execute', CALCULATION)],
  ];
  expect(goesOn.map(([what, , { status }]) => [what, status])).toEqual(
    goesOn.map(([what, expected]) => [what, expected]),
  );
  const clearing = clearMemories(api, leaver);
  await waitFor(async () => (await countMemories(api, leaver)).semantic === 0, {
    what: 'the graph to be cleared',
  });

  await pinecone.restart();
  await waitFor(async () => (await searchSemantic(api, { userId, query: 'lighthouse' })).status === 200, {
    what: 'searches to be answered again',
  });
  writing = false;
  await Promise.all([writes.done, reads.done]);
  expect((await clearing).status).toBe(200);
  expect([...writes.failures, ...reads.failures].map(String)).toEqual(Array(6).fill('Error: enough'));

  // No write needed the index, and every read was answered, with a result or with an error.
  expect(new Set(writes.answers.map(({ status }) => status))).toEqual(new Set([201]));
  for (const answer of reads.answers) {
    if (answer.status === 200) expect(idsOf(answer.body.data)[0]).toBe(early.id);
    else expectUnavailable(answer);
  }
  expect(reads.answers.some(({ status }) => status === 503)).toBe(true);

  const acknowledged = writes.answers.map(({ body }) => body.data as { id: string; concept?: string });
  const concepts = acknowledged.filter(({ concept }) => concept !== undefined);
  await waitFor(() => [early, ...concepts].every(({ id }) => idsInIndex().has(id)), {
    what: 'all vectors to be in the index',
  });
  await waitFor(() => !idsInIndex().has(doomed.id), {
    what: 'the vector of a deleted memory to be taken out',
  });
  for (const { id, concept } of acknowledged) {
    const { status, body } = concept === undefined ? await getEpisodic(api, id) : await getSemantic(api, id);
    expect([status, body.data?.id]).toEqual([200, id]);
  }
  for (const { id, concept = '' } of concepts.slice(-40)) {
    const { body } = await searchSemantic(api, { userId, query: concept, limit: 100, threshold: 0 });
    expect(idsOf(body.data)).toContain(id);
  }
  const coast = { userId, query: 'lighthouse', filters: { categories: ['coast'] } };
  expect(idsOf((await searchSemantic(api, coast)).body.data)).toEqual([early.id]);
  const { episodic, semantic } = await countMemories(api, userId);
  expect(episodic + semantic).toBe(acknowledged.length + 2);
});

const CALCULATION = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };
