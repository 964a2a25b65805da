import { chainOf, countMemories, findMemories, LEXICAL, remember } from '../support/memories';
import { eventsOf, listRuns } from '../support/runs';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** Kills a worker as soon as this number of steps of the run of a type is scheduled. */
async function killAt(steps: number, type: string, worker: { kill(): Promise<void> }): Promise<void> {
  const run = await waitFor(
    async () => (await listRuns(stage.client, stage.taskQueue)).find((each) => each.type === type),
    { what: `a run of ${type} to be listed` },
  );
  await waitFor(
    async () => (await eventsOf(stage, run.workflowId, 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).length >= steps,
    { what: `${steps} steps to be scheduled` },
  );
  await worker.kill();
}

test('a consolidation and its undo lose nothing where their workers are killed in the middle', async () => {
  const [api, first] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  const ids: string[] = [];
  for (let n = 0; n < 160; n += 1) {
    const { body } = await remember(
      api,
      'dana',
      n % 40 === 0 ? `note ${n} about shelves` : 'the shelves are late',
    );
    ids.push(body.data.id);
  }
  const found = async () => (await findMemories(api, 'dana', 'shelves late', { limit: 100 })).body.data;
  const before = { found: await found(), count: await countMemories(api, 'dana') };

  const consolidating = api.post('/api/memory/consolidate/dana', {});
  await killAt(2, 'consolidateMemories', first);
  const second = await stage.worker(LEXICAL);
  const { status, body } = await consolidating;
  expect([status, body.data]).toMatchObject([200, { archived: 155, changed: 0 }]);
  expect(await countMemories(api, 'dana')).toEqual({ episodic: 5, semantic: 0 });

  const undoing = api.post(`/api/memory/consolidations/dana/${body.data.id}/undo`, {});
  await killAt(2, 'undoConsolidation', second);
  await stage.worker(LEXICAL);
  expect((await undoing).status).toBe(200);
  expect(await countMemories(api, 'dana')).toEqual(before.count);
  expect(await found()).toEqual(before.found);
  expect(await chainOf(api, ids[0] ?? '')).toEqual(ids);
  expect((await api.post(`/api/memory/consolidations/dana/${body.data.id}/undo`, {})).status).toBe(409);
});
