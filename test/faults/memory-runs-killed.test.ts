import { clearMemories, countMemories, findMemories, know, LEXICAL, remember } from '../support/memories';
import { openStage, type Stage } from '../support/stage';
import { eventsOf, onlyRun } from '../support/runs';
import { waitFor } from '../support/wait';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** Kills a worker as soon as it has begun a step of the only run. */
async function killInTheMiddle(worker: { kill(): Promise<void> }): Promise<void> {
  const { workflowId } = await onlyRun(stage);
  await waitFor(
    async () => (await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).length > 0,
    { what: 'a step to be scheduled' },
  );
  await worker.kill();
}

test('an erasure whose worker is killed is ended by another', async () => {
  const [api, first] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  for (let n = 0; n < 30; n += 1) await remember(api, 'gone', `note ${n} about sailing`);
  await know(api, 'gone', 'sailing', 'by boat');
  await remember(api, 'stays', 'another one');
  const cleared = clearMemories(api, 'gone');
  await killInTheMiddle(first);
  await stage.worker(LEXICAL);
  expect((await cleared).status).toBe(200);
  expect(await countMemories(api, 'gone')).toEqual({ episodic: 0, semantic: 0 });
  expect(await countMemories(api, 'stays')).toEqual({ episodic: 1, semantic: 0 });
  expect((await remember(api, 'gone', 'a new beginning')).status).toBe(201);
});

test('memories move to another model over the death of a worker, and are found before and after', async () => {
  const [old, worker] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  for (let n = 0; n < 250; n += 1) await remember(old, 'user', `note ${n} about sailing to island ${n}`);
  await Promise.all([old.process.stop(), worker.stop()]);

  const longer = { ...LEXICAL, MEMORY_EMBEDDING_DIMENSIONS: '1024' };
  const [api, first] = await Promise.all([stage.api(longer), stage.worker(longer)]);
  const refused = await findMemories(api, 'user', 'sailing to island 7');
  expect([refused.status, refused.body.error, refused.body.details?.service]).toEqual([
    503,
    'Service unavailable',
    'embedder',
  ]);
  expect(refused.body.message).toContain('reindex');

  const moving = api.post('/api/memory/reindex');
  await killInTheMiddle(first);
  await stage.worker(longer);
  const { status, body } = await moving;
  expect([status, body.data?.model, body.data?.dimensions]).toEqual([200, 'lexical:lexical-1', 1024]);
  const found = await findMemories(api, 'user', 'island 7');
  expect(found.body.data.episodic.map(({ content }: { content: string }) => content)).toContain(
    'note 7 about sailing to island 7',
  );
  const again = await api.post('/api/memory/reindex');
  expect(again.body.data).toMatchObject({ moved: 0, dimensions: 1024 });
});

test('facts are drawn anew over the death of a worker, once, and what was corrected stays', async () => {
  const off = { ...LEXICAL, MEMORY_FACTS: 'off' };
  const old = await stage.api(off);
  for (let n = 0; n < 250; n += 1) await remember(old, 'dana', n === 120 ? 'I live in Leeds.' : `note ${n}`);
  await old.process.stop();

  const [api, first] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
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
  await killInTheMiddle(first);
  await stage.worker(LEXICAL);
  expect(await run.result()).toMatchObject({ failed: 0 });
  expect(await factsOf()).toMatchObject([
    { attribute: 'employer', value: 'Acme Ltd' },
    { attribute: 'home', value: 'Leeds' },
  ]);
  expect(await (await start()).result()).toEqual({ users: 0, memories: 0, failed: 0 });
});
