import { answerOf, ask, initializeAgent } from '../support/agent';
import { addEpisodic, clearMemories, findMemories, newUser, putEpisodic } from '../support/memories';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

interface FactFields {
  readonly id: string;
  readonly attribute: string;
  readonly value: string;
  readonly validFrom: string;
  readonly sources: readonly { readonly memoryId: string }[];
}

let service: SharedService;

beforeAll(async () => {
  service = await useService();
  await initializeAgent(service);
});
afterAll(() => service.stop());

const factsOf = async (userId: string, query = ''): Promise<FactFields[]> =>
  (await service.get(`/api/memory/facts/${userId}${query}`)).body.data.facts;
const homes = async (userId: string, query = ''): Promise<string[]> =>
  (await factsOf(userId, query)).filter(({ attribute }) => attribute === 'home').map(({ value }) => value);

test('an answer rests on what holds now, and names the fact and its memory', async () => {
  const userId = newUser();
  await answerOf(ask(service, 'I live in Leeds.', { userId }));
  await answerOf(ask(service, 'I live in York now.', { userId, sessionId: 'later' }));
  const { response, metadata } = await answerOf(
    ask(service, 'Where do I live?', { userId, sessionId: 'last', responseDetailLevel: 'full' }),
  );
  expect(response).toContain('York');
  expect(response).not.toContain('Leeds');
  const [fact] = await factsOf(userId);
  expect(fact).toMatchObject({ subject: 'user', attribute: 'home', value: 'York', certain: true });
  expect(metadata.facts).toEqual([
    { id: fact?.id, subject: 'user', attribute: 'home', value: 'York', since: fact?.validFrom },
  ]);
  expect(metadata.sources).toEqual([fact?.sources[0]?.memoryId]);
});

test('what held once is in the history and at its time, and not in searches and contexts', async () => {
  const userId = newUser();
  const leeds = await addEpisodic(service, { userId, content: 'I live in Leeds.' });
  const york = await addEpisodic(service, { userId, content: 'I live in York now.' });
  expect(await homes(userId)).toEqual(['York']);
  expect(await homes(userId, '?history=true')).toEqual(['York', 'Leeds']);
  expect(await homes(userId, `?asOf=${leeds.timestamp}`)).toEqual(['Leeds']);
  expect(await homes(userId, '?asOf=2001-02-03T04:05:06.000Z')).toEqual([]);
  const found = async (more = {}): Promise<string[]> =>
    (await findMemories(service, userId, 'Where do I live', more)).body.data.episodic.map(
      ({ id }: { id: string }) => id,
    );
  expect(await found()).toEqual([york.id]);
  expect((await found({ history: true })).sort()).toEqual([leeds.id, york.id].sort());
  const context = (await service.get(`/api/memory/context/${userId}/session-1`)).body.data;
  expect(context.episodic.map(({ id }: { id: string }) => id)).toEqual([york.id]);
  expect(context.facts).toMatchObject([{ attribute: 'home', value: 'York', since: york.timestamp }]);
  const whole = (await service.get(`/api/memory/context/${userId}/session-1?history=true`)).body.data;
  expect([whole.episodic.length, whole.facts.length]).toEqual([2, 2]);
});

test('a memory that is changed, deleted or erased takes its facts with it', async () => {
  const userId = newUser();
  await addEpisodic(service, { userId, content: 'I live in Leeds.' });
  const second = await addEpisodic(service, { userId, content: 'I live in York now.' });
  await putEpisodic(service, second.id, { content: 'I live in Hull now.' });
  expect(await homes(userId)).toEqual(['Hull']);
  await service.send('DELETE', `/api/memory/episodic/${second.id}`);
  expect(await homes(userId)).toEqual(['Leeds']);
  await clearMemories(service, userId);
  expect(await homes(userId, '?history=true')).toEqual([]);
  await addEpisodic(service, { userId, content: 'I live in York.' });
  expect(await homes(userId)).toEqual(['York']);
});

test('facts are corrected and retracted, and what is of no user makes none', async () => {
  const userId = newUser();
  await addEpisodic(service, { userId, content: 'I live in Leeds.' });
  await addEpisodic(service, { userId, content: 'I live in York now.', metadata: { source: 'assistant' } });
  const [fact] = await factsOf(userId);
  const path = `/api/memory/facts/${userId}/${fact?.id}`;
  const other = await service.send('PATCH', path, { ...fact, value: 'Hull', attribute: 'employer' });
  expect([other.status, other.body.details.field]).toEqual([400, 'attribute']);
  const corrected = await service.send('PATCH', path, { ...fact, value: 'Hull' });
  expect([corrected.status, corrected.body.data]).toMatchObject([
    200,
    { value: 'Hull', attribute: 'home', validFrom: fact?.validFrom, sources: [] },
  ]);
  expect(await homes(userId)).toEqual(['Hull']);
  const answer = await answerOf(ask(service, 'Where do I live?', { userId, sessionId: 'last' }));
  expect(answer.response).toContain('Hull');
  const gone = await service.send('DELETE', `/api/memory/facts/${userId}/${corrected.body.data.id}`);
  expect(gone.body.data).toMatchObject({ value: 'Hull', neverHeld: true });
  expect(await homes(userId)).toEqual([]);
  expect((await service.send('DELETE', `${path}-none`)).status).toBe(404);
  for (const wrong of [{}, { value: '' }, { value: 7 }, { value: 'x', more: 1 }])
    expect((await service.send('PATCH', path, wrong)).status).toBe(400);
  expect((await service.get(`/api/memory/facts/${userId}?asOf=yesterday`)).status).toBe(400);
});

test('what says that something has ended is found, stays in contexts and is not archived', async () => {
  const userId = newUser();
  const began = await addEpisodic(service, { userId, content: 'I work at Acme.' });
  const left = await addEpisodic(service, { userId, content: 'I no longer work at Acme.' });
  const idsOf = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);
  const search = await findMemories(service, userId, 'Acme');
  expect(idsOf(search.body.data.episodic)).toEqual([left.id]);
  const context = await service.get(`/api/memory/context/${userId}/session-1`);
  expect(idsOf(context.body.data.episodic)).toEqual([left.id]);
  const plan = await service.post(`/api/memory/consolidate/${userId}`, { dryRun: true });
  expect(plan.body.data.superseded).toEqual([began.id]);
});

test('a fact that has ended keeps its end where its value is corrected', async () => {
  const userId = newUser();
  await addEpisodic(service, { userId, content: 'I work at Acme.' });
  const left = await addEpisodic(service, { userId, content: 'I no longer work at Acme.' });
  const [fact] = await factsOf(userId, '?history=true&attribute=employer');
  const path = `/api/memory/facts/${userId}/${fact?.id}`;
  const corrected = await service.send('PATCH', path, { value: 'Acme Ltd' });
  expect(corrected.body.data).toMatchObject({ value: 'Acme Ltd', validTo: left.timestamp });
  expect(await factsOf(userId, '?attribute=employer')).toEqual([]);
});

test('a memory that is sent back as it was read keeps what was retracted, and one that is no longer of a user says no facts', async () => {
  const userId = newUser();
  const leeds = await addEpisodic(service, { userId, content: 'I live in Leeds.' });
  const [fact] = await factsOf(userId);
  await service.send('DELETE', `/api/memory/facts/${userId}/${fact?.id}`);
  const read = (await service.get(`/api/memory/episodic/${leeds.id}`)).body.data;
  await putEpisodic(service, leeds.id, { ...read, metadata: { ...read.metadata, tags: ['seen'] } });
  expect(await homes(userId)).toEqual([]);
  const york = await addEpisodic(service, { userId, content: 'I live in York now.' });
  const note = { content: 'Passport is in the blue drawer, code 4711', metadata: { source: 'note' } };
  await putEpisodic(service, york.id, note);
  expect(await homes(userId, '?history=true')).toEqual(['Leeds']);
  await addEpisodic(service, { userId, content: 'I live in Hull.' });
  const context = (await service.get(`/api/memory/context/${userId}/session-1`)).body.data;
  expect(context.episodic.map(({ content }: { content: string }) => content)).toContain(note.content);
  await putEpisodic(service, york.id, { content: 'I live in Bath.' });
  expect(await homes(userId)).toEqual(['Hull']);
  await putEpisodic(service, york.id, { metadata: { source: 'user' } });
  expect(await homes(userId, '?history=true')).toContain('Bath');
});

test('a correction to a value that held before, and a second retraction, are answered with the fact', async () => {
  const userId = newUser();
  for (const content of ['I live in Leeds.', 'I live in York now.'])
    await addEpisodic(service, { userId, content });
  const [york, leeds] = await factsOf(userId, '?history=true');
  const change = (method: string, id = '', body?: object) =>
    service.send(method, `/api/memory/facts/${userId}/${id}`, body);
  const corrected = await change('PATCH', york?.id, { value: 'Leeds' });
  expect([corrected.status, corrected.body.data]).toMatchObject([200, { id: leeds?.id, value: 'Leeds' }]);
  await addEpisodic(service, { userId, content: 'I live in York now.' });
  const [again] = await factsOf(userId);
  const retracted = await change('DELETE', again?.id);
  expect([retracted.status, retracted.body.data]).toMatchObject([200, { value: 'York', neverHeld: true }]);
});

test('the graph connects memories, facts and people', async () => {
  const userId = newUser();
  const leeds = await addEpisodic(service, { userId, content: 'I live in Leeds.' });
  const york = await addEpisodic(service, { userId, content: 'I live in York now.' });
  const { nodes, edges, truncated } = (await service.get(`/api/memory/graph/${userId}`)).body.data;
  const [now, before] = await factsOf(userId, '?history=true');
  expect(truncated).toBe(false);
  expect(nodes.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining([leeds.id, york.id, now?.id, before?.id, 'subject:user']),
  );
  expect(edges).toEqual(
    expect.arrayContaining([
      { from: leeds.id, to: york.id, type: 'next' },
      { from: york.id, to: now?.id, type: 'says' },
      { from: before?.id, to: now?.id, type: 'superseded by' },
      { from: now?.id, to: 'subject:user', type: 'of' },
    ]),
  );
  const small = (await service.get(`/api/memory/graph/${userId}?limit=1`)).body.data;
  expect([small.truncated, small.nodes.length]).toEqual([true, 3]);
});
