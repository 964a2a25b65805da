import { get } from '../support/http';
import { facilityRows, reportOf, upload } from '../support/imports';
import {
  chainOf,
  clearMemories,
  countMemories,
  findMemories,
  know,
  LEXICAL,
  remember,
} from '../support/memories';
import type { PartProcess } from '../support/process';
import { eventsOf, listRuns } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const ROWS = 20_000;

let stage: Stage;
let api: Api;
let worker: PartProcess;

/** The kills follow one another on one stage, since each leaves the stores whole. */
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Kills the worker as soon as this number of steps of the run of a type is scheduled, and starts another one. */
async function killAt(type: string, steps = 1, env = LEXICAL): Promise<void> {
  const run = await waitFor(
    async () => (await listRuns(stage.client, stage.taskQueue)).find((each) => each.type === type),
    { what: `a run of ${type} to be listed` },
  );
  await waitFor(
    async () => (await eventsOf(stage, run.workflowId, 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).length >= steps,
    { what: `${steps} steps to be scheduled` },
  );
  await worker.kill();
  worker = await stage.worker(env);
}

/** Stores memories whose order does not matter, some at once. */
async function rememberMany(at: Api, userId: string, contentOf: (n: number) => string): Promise<void> {
  const [count, atOnce] = [250, 10];
  const from = async (first: number): Promise<void> => {
    for (let n = first; n < count; n += atOnce) await remember(at, userId, contentOf(n));
  };
  await Promise.all(Array.from({ length: atOnce }, (_, n) => from(n)));
}

test('facts are drawn anew over the death of a worker, once, and what was corrected stays', async () => {
  const old = await stage.api({ ...LEXICAL, MEMORY_FACTS: 'off' });
  await rememberMany(old, 'dana', (n) => (n === 120 ? 'I live in Leeds.' : `note ${n}`));
  await old.process.stop();

  [api, worker] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  const factsOf = async (): Promise<{ id: string; attribute: string; value: string }[]> =>
    (await api.get('/api/memory/facts/dana')).body.data.facts;
  await remember(api, 'dana', 'I work at Acme.');
  const [acme] = await factsOf();
  await api.send('PATCH', `/api/memory/facts/dana/${acme?.id ?? ''}`, { value: 'Acme Ltd' });
  const start = () =>
    stage.client.workflow.start('redrawFacts', {
      ...{ taskQueue: stage.taskQueue, workflowId: `redraw-facts-${stage.taskQueue}`, args: [{}] },
    });
  const run = await start();
  await killAt('redrawFacts');
  expect(await run.result()).toMatchObject({ failed: 0 });
  expect(await factsOf()).toMatchObject([
    { attribute: 'employer', value: 'Acme Ltd' },
    { attribute: 'home', value: 'Leeds' },
  ]);
  expect(await (await start()).result()).toEqual({ users: 0, memories: 0, failed: 0 });
});

test('an erasure whose worker is killed is ended by another', async () => {
  for (let n = 0; n < 30; n += 1) await remember(api, 'gone', `note ${n} about sailing`);
  await know(api, 'gone', 'sailing', 'by boat');
  await remember(api, 'stays', 'another one');
  const cleared = clearMemories(api, 'gone');
  await killAt('eraseUserMemories');
  expect((await cleared).status).toBe(200);
  expect(await countMemories(api, 'gone')).toEqual({ episodic: 0, semantic: 0 });
  expect(await countMemories(api, 'stays')).toEqual({ episodic: 1, semantic: 0 });
  expect((await remember(api, 'gone', 'a new beginning')).status).toBe(201);
});

test('a consolidation and its undo lose nothing where their workers are killed in the middle', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 160; n += 1) {
    const content = n % 40 === 0 ? `note ${n} about shelves` : 'the shelves are late';
    ids.push((await remember(api, 'carpenter', content)).body.data.id);
  }
  const found = async () => (await findMemories(api, 'carpenter', 'shelves late', { limit: 100 })).body.data;
  const before = { found: await found(), count: await countMemories(api, 'carpenter') };

  const consolidating = api.post('/api/memory/consolidate/carpenter', {});
  await killAt('consolidateMemories', 2);
  const { status, body } = await consolidating;
  expect([status, body.data]).toMatchObject([200, { archived: 155, changed: 0 }]);
  expect(await countMemories(api, 'carpenter')).toEqual({ episodic: 5, semantic: 0 });

  const undo = () => api.post(`/api/memory/consolidations/carpenter/${body.data.id}/undo`, {});
  const undoing = undo();
  await killAt('undoConsolidation', 2);
  expect((await undoing).status).toBe(200);
  expect(await countMemories(api, 'carpenter')).toEqual(before.count);
  expect(await found()).toEqual(before.found);
  expect(await chainOf(api, ids[0] ?? '')).toEqual(ids);
  expect((await undo()).status).toBe(409);
});

test('memories move to another model over the death of a worker, and are found before and after', async () => {
  await rememberMany(api, 'user', (n) => `note ${n} about sailing to island ${n}`);
  await Promise.all([api.process.stop(), worker.stop()]);

  const longer = { ...LEXICAL, MEMORY_EMBEDDING_DIMENSIONS: '1024' };
  [api, worker] = await Promise.all([stage.api(longer), stage.worker(longer)]);
  const refused = await findMemories(api, 'user', 'sailing to island 7');
  expect([refused.status, refused.body.error, refused.body.details?.service]).toEqual([
    503,
    'Service unavailable',
    'embedder',
  ]);
  expect(refused.body.message).toContain('reindex');

  const moving = api.post('/api/memory/reindex');
  await killAt('reindexMemories', 1, longer);
  const { status, body } = await moving;
  expect([status, body.data?.model, body.data?.dimensions]).toEqual([200, 'lexical:lexical-1', 1024]);
  const found = await findMemories(api, 'user', 'island 7');
  expect(found.body.data.episodic.map(({ content }: { content: string }) => content)).toContain(
    'note 7 about sailing to island 7',
  );
  const again = await api.post('/api/memory/reindex');
  expect(again.body.data).toMatchObject({ moved: 0, dimensions: 1024 });
});

test('an import goes on where a killed worker left it, and creates each record once', async () => {
  const records = stage.spawn('records');
  const url = String((await records.line('the records API is listening'))['url']);
  const { id } = (await upload(url, facilityRows(ROWS))).body.data;
  const before = await reportOf(url, id, ({ rows }) => rows > 0);
  await worker.kill();
  expect(before.state).toBe('running');
  expect((await get(`${url}/api/imports/${id}`)).body.data.rows).toBeLessThan(ROWS);

  // While no worker is there, an import whose run is ended from outside is reported as failed.
  const started = await upload(url, facilityRows(3, 'ended'));
  const ended = started.body.data.id;
  expect((await reportOf(url, ended, () => true)).state).toBe('running');
  await stage.client.workflow.getHandle(started.headers.get('x-workflow-id') ?? '').terminate();
  expect(await reportOf(url, ended, ({ state }) => state !== 'running')).toMatchObject({
    state: 'failed',
    rows: 0,
  });

  worker = await stage.worker();
  const report = await reportOf(url, id);
  expect(report).toMatchObject({ rows: ROWS, created: ROWS, present: 0, failed: 0, errors: [] });
  const listed = (await get(`${url}/api/facilities?limit=1&sort=-updatedAt`)).body.data;
  expect(listed).toMatchObject({ total: ROWS, facilities: [{ version: 1 }] });
});
