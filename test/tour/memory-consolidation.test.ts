import { randomUUID } from 'node:crypto';
import { answerOf, ask, initializeAgent } from '../support/agent';
import type { Answer } from '../support/http';
import {
  addEpisodic,
  addSemantic,
  clearMemories,
  countMemories,
  findMemories,
  idsOf,
  newUser,
} from '../support/memories';
import type { SharedService } from '../support/service';
import { filesWith } from '../support/history-texts';
import { useServiceAlone } from '../support/use-service';
import { waitFor } from '../support/wait';

let service: SharedService;

beforeAll(async () => {
  service = await useServiceAlone();
  await initializeAgent(service);
});
afterAll(() => service.stop());

const consolidate = (userId: string, body: object = {}, headers = {}): Promise<Answer> =>
  service.post(`/api/memory/consolidate/${userId}`, body, headers);
const undo = (userId: string, id: string, headers = {}): Promise<Answer> =>
  service.post(`/api/memory/consolidations/${userId}/${id}/undo`, {}, headers);
const list = async (userId: string) =>
  (await service.get(`/api/memory/consolidations/${userId}`)).body.data.consolidations;
const found = async (userId: string, query: string): Promise<unknown> =>
  (await findMemories(service, userId, query)).body.data;
const factsOf = async (userId: string) =>
  (await service.get(`/api/memory/facts/${userId}?history=true`)).body.data.facts;

/** A user with repetitions, with a fact that holds no more, and with memories that only look alike. */
async function userWithRepetitions() {
  const userId = newUser();
  const say = (content: string) => addEpisodic(service, { userId, content });
  const cats = [await say('I saw 2 cats'), await say('I saw 3 cats')];
  const leeds = await say('I live in Leeds.');
  await say('I live in York now.');
  cats.push(await say('I saw 2 cats!'));
  const bees = { userId, concept: 'bees', description: 'They fly' };
  const concepts = [await addSemantic(service, bees), await addSemantic(service, bees)];
  return { userId, cats: idsOf(cats), leeds: leeds.id as string, concepts: idsOf(concepts) };
}

test('a dry run reports what a run then does, and an undo brings all of it back', async () => {
  const { userId, cats, leeds, concepts } = await userWithRepetitions();
  const search = () => found(userId, 'cats bees');
  const before = {
    found: await search(),
    count: await countMemories(service, userId),
    facts: await factsOf(userId),
    exported: (await service.get(`/api/memory/export/${userId}`)).text,
  };
  const dry = await consolidate(userId, { dryRun: true });
  expect([dry.status, dry.body.message]).toEqual([200, 'Nothing was changed']);
  expect(dry.body.data).toEqual({
    dryRun: true,
    compared: { episodic: 5, semantic: 2 },
    duplicates: [
      { kept: cats[2], archived: [cats[0]] },
      { kept: concepts[1], archived: [concepts[0]] },
    ],
    superseded: [leeds],
    replaced: [],
    sessions: [],
    archived: 3,
    changed: 0,
    more: false,
  });
  expect(await search()).toEqual(before.found);

  const { status, body } = await consolidate(userId);
  expect([status, body.tools]).toEqual([200, ['graphdb', 'vectordb', 'embedder']]);
  const { id, undoableUntil, ...report } = body.data;
  expect(report).toEqual({ ...dry.body.data, dryRun: false });
  expect(Date.parse(undoableUntil) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  expect(await countMemories(service, userId)).toEqual({ episodic: 3, semantic: 1 });
  expect(JSON.stringify(await search())).not.toContain(cats[0]);
  const sourceless = (facts: readonly { sources: unknown }[]) =>
    facts.map(({ sources: _sources, ...fact }) => fact);
  expect(sourceless(await factsOf(userId))).toEqual(sourceless(before.facts));
  expect(await list(userId)).toMatchObject([{ id, archived: 3, summaries: 0, undoableUntil }]);

  const undone = await undo(userId, id);
  expect([undone.status, undone.body.data]).toEqual([200, { id, restored: 3 }]);
  expect(await search()).toEqual(before.found);
  expect(await countMemories(service, userId)).toEqual(before.count);
  expect(await factsOf(userId)).toEqual(before.facts);
  expect((await service.get(`/api/memory/export/${userId}`)).text).toBe(before.exported);
  const again = await undo(userId, id);
  expect([again.status, again.body.error]).toEqual([409, 'Consolidation already undone']);
});

test('a repeat with the same key is the same run', async () => {
  const { userId } = await userWithRepetitions();
  const key = { 'Idempotency-Key': randomUUID() };
  const [first, second] = [await consolidate(userId, {}, key), await consolidate(userId, {}, key)];
  expect(second.body.data).toEqual(first.body.data);
  expect(second.headers.get('x-trace-id')).toBe(first.headers.get('x-trace-id'));
  expect(await list(userId)).toHaveLength(1);
  expect((await consolidate(userId, { dryRun: true }, key)).status).toBe(409);
  const undoKey = { 'Idempotency-Key': randomUUID() };
  const { id } = first.body.data;
  expect((await undo(userId, id, undoKey)).body.data).toEqual({ id, restored: 3 });
  expect((await undo(userId, id, undoKey)).body.data).toEqual({ id, restored: 3 });
  expect(await countMemories(service, userId)).toEqual({ episodic: 5, semantic: 2 });
});

test('answers rest on the same facts, and name memories that are there', async () => {
  const userId = newUser();
  for (const sessionId of ['one', 'two', 'three'])
    await answerOf(ask(service, 'I live in Leeds.', { userId, sessionId }));
  const { body } = await consolidate(userId);
  expect(body.data).toMatchObject({ archived: 2, superseded: [] });
  const { kept } = body.data.duplicates[0];
  expect((await factsOf(userId))[0].sources).toMatchObject([{ memoryId: kept }]);
  const { response, metadata } = await answerOf(
    ask(service, 'Where do I live?', { userId, sessionId: 'last', responseDetailLevel: 'full' }),
  );
  expect(response).toContain('Leeds');
  expect(metadata.sources).toEqual([kept]);
});

test('a long session gets a summary, which an undo removes', async () => {
  const userId = newUser();
  const turns = Array.from({ length: 6 }, (_, n) => `The oak shelves of order ${n} are late`);
  for (const content of turns)
    await addEpisodic(service, { userId, content, metadata: { tags: ['conversation'] } });
  expect((await consolidate(userId, { longSession: 10 })).body.data.sessions).toEqual([]);
  for (const content of turns)
    await addEpisodic(service, { userId, content: `${content} again`, metadata: { tags: ['conversation'] } });
  const dry = (await consolidate(userId, { longSession: 10, dryRun: true })).body.data;
  expect(dry.sessions).toMatchObject([{ sessionId: 'session-1', messages: 12 }]);
  expect(dry.sessions[0].summary).toContain('oak shelves');
  const { id, sessions } = (await consolidate(userId, { longSession: 10 })).body.data;
  expect(sessions).toEqual(dry.sessions);
  const { semantic } = (await findMemories(service, userId, 'oak shelves session')).body.data;
  expect(semantic).toMatchObject([{ concept: 'Session session-1', description: dry.sessions[0].summary }]);
  expect((await undo(userId, id)).status).toBe(200);
  expect((await countMemories(service, userId)).semantic).toBe(0);
});

test('an erasure takes copies and reports, and counts the copies', async () => {
  const userId = newUser();
  const secret = `heron-${randomUUID()}`;
  for (let n = 0; n < 3; n += 1) await addEpisodic(service, { userId, content: `The ${secret} is mine` });
  const done = await consolidate(userId);
  expect(done.body.data.archived).toBe(2);
  const { erased, receipt } = (await clearMemories(service, userId)).body.data;
  expect(erased).toEqual({ episodic: 1, semantic: 0, relations: 0, archived: 2, runs: 1 });
  const { statement } = (await service.get(`/api/memory/erasures/${receipt}`)).body.data;
  expect(JSON.parse(statement).erased).toEqual(erased);
  expect(await list(userId)).toEqual([]);
  expect((await undo(userId, done.body.data.id)).status).toBe(404);
  expect(filesWith(secret, service.dataDir)).toEqual([]);
  // The server forgets a run that has just ended only after its own next checkpoint.
  await waitFor(
    async () => (await service.get(`/api/runs/${done.headers.get('x-trace-id')}`)).status === 404,
    {
      what: 'the end of the run',
    },
  );
});

test('the run is listed as one of its user, and a wrong request is refused', async () => {
  const { userId } = await userWithRepetitions();
  const { headers, body } = await consolidate(userId, { before: '2020-01-01T00:00:00Z' });
  expect(body.data).toMatchObject({ archived: 0, compared: { episodic: 0, semantic: 0 } });
  const run = await service.get(`/api/runs/${headers.get('x-trace-id')}`);
  expect(run.body.data).toMatchObject({
    type: 'consolidateMemories',
    status: 'completed',
    result: body.data,
  });
  for (const wrong of [
    { dryRun: 'yes' },
    { before: 'yesterday' },
    { longSession: 9 },
    { longSession: 10_001 },
    { more: 1 },
    [],
  ])
    expect([wrong, (await consolidate(userId, wrong)).status]).toEqual([wrong, 400]);
  expect((await consolidate('x'.repeat(201))).status).toBe(400);
  expect((await undo(userId, 'x'.repeat(201))).status).toBe(400);
  const { id } = (await consolidate(userId)).body.data;
  for (const [user, name] of [
    [userId, 'none'],
    [newUser(), id],
  ]) {
    const refused = await undo(user, name);
    expect([refused.status, refused.body.error]).toEqual([404, 'Consolidation not found']);
  }
});
