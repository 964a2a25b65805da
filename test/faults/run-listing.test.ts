import { randomUUID } from 'node:crypto';
import { apiCall, calculator } from '../support/calls';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, startRun, stopRun } from '../support/stop-runs';
import { pickCount } from '../support/thorough';
import { waitFor } from '../support/wait';
import { answerTask, complete, continueAsNew } from '../support/workflow-tasks';

jest.setTimeout(pickCount(120_000, 900_000));

/** How many runs are started, and how many callers start them at the same time. */
const COUNT = pickCount(48, 1_000);
const AT_ONCE = 4;

let stage: Stage;
let api: Api;
beforeEach(async () => {
  stage = await openStage();
  api = await stage.api();
});
afterEach(() => stage.close());

interface Listed {
  readonly traceId: string;
  readonly startedAt: string;
  readonly status: string;
}

/** Reads a list from its first page to its last. */
async function readPages(filter: string, limit: number): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let cursor = ''; ;) {
    const answer: Answer = await api.get(`/api/runs?limit=${limit}${filter}${cursor}`);
    expect(answer.status).toBe(200);
    const { runs, next } = answer.body.data as { runs: Listed[]; next?: string };
    listed.push(...runs);
    if (next === undefined) return listed;
    cursor = `&cursor=${next}`;
  }
}

const idsOf = (runs: readonly Listed[]): string[] => runs.map(({ traceId }) => traceId);

/** Every run once, and none before one that started later. */
function expectInOrder(runs: readonly Listed[]): void {
  expect(idsOf(runs)).toEqual([...new Set(idsOf(runs))]);
  const starts = runs.map(({ startedAt }) => startedAt);
  expect(starts).toEqual([...starts].sort().reverse());
}

/** Reads a list again and again. A run that one reading has found is in every later one. */
async function readWhile(isGoing: () => boolean, filter: string, limit: number): Promise<number> {
  let before: readonly string[] = [];
  for (let readings = 0; ; readings += 1) {
    if (!isGoing()) return readings;
    const runs = await readPages(filter, limit);
    expectInOrder(runs);
    const found = new Set(idsOf(runs));
    expect(before.filter((id) => !found.has(id))).toEqual([]);
    before = [...found];
  }
}

test(`each of ${COUNT} runs is on one page while others start and end`, async () => {
  await stage.worker();
  const started: string[] = [];
  const ends = new Map<string, string>();

  /** Starts runs that end at once, and runs that end only when later ones have. */
  async function startRuns(name: string, count: number): Promise<void> {
    const open: (() => Promise<unknown>)[] = [];
    for (let at = 0; at < count; at += 1) {
      const lasts = at % 3 === 0;
      const call = lasts ? apiCall(`${stage.peer.url}/held-${name}`) : calculator('add', at, 1);
      const run = await startRun(api, '/api/tools/execute', call);
      started.push(run.traceId);
      ends.set(run.traceId, lasts ? 'cancelled' : 'completed');
      if (lasts) open.push(() => stopRun(api, 'cancel', run));
      else await endedRun(api, run);
      if (open.length > 4) await open.splice(at % 2 === 0 ? 0 : 2, 1)[0]?.();
    }
    for (const stop of open) await stop();
  }

  let starting = AT_ONCE;
  const [readings] = await Promise.all([
    readWhile(() => starting > 0, '', 7),
    readWhile(() => starting > 0, '&status=completed', 3),
    ...Array.from({ length: AT_ONCE }, async (_, index) => {
      try {
        await startRuns(String(index), COUNT / AT_ONCE);
      } finally {
        starting -= 1;
      }
    }),
  ]);
  expect(readings).toBeGreaterThan(1);

  await waitFor(
    async () => {
      const listed = new Map((await readPages('', 500)).map(({ traceId, status }) => [traceId, status]));
      return started.every((id) => listed.get(id) === ends.get(id));
    },
    { what: 'the index to have the end of every run' },
  );
  const afterwards = await readPages('', 7);
  expectInOrder(afterwards);
  expect(idsOf(afterwards).sort()).toEqual([...started].sort());
  const completed = [...ends].filter(([, status]) => status === 'completed').map(([id]) => id);
  expect(idsOf(await readPages('&status=completed', 3)).sort()).toEqual(completed.sort());
});

test('a run that continues as new while pages are read is on one of them at most', async () => {
  // There is no worker: the test takes the workflow tasks itself.
  const chains = 10;
  for (let n = 0; n < chains; n += 1) {
    const workflowId = `chain/${randomUUID()}`;
    await stage.client.workflow.start('importRecords', { workflowId, taskQueue: stage.taskQueue });
  }
  let continues = true;
  async function readOn(limit: number): Promise<void> {
    while (continues) {
      const ids = idsOf(await readPages('', limit));
      expect(ids).toEqual([...new Set(ids)]);
    }
  }
  async function continueRuns(): Promise<void> {
    try {
      const count = pickCount(40, 1_000);
      for (let n = 0; n < count; n += 1) await answerTask(stage, continueAsNew(stage, 'importRecords'));
      for (let n = 0; n < chains; n += 1) await answerTask(stage, complete({ rows: n }));
    } finally {
      continues = false;
    }
  }
  await Promise.all([continueRuns(), readOn(50), readOn(3)]);
  await waitFor(async () => (await readPages('&status=completed', 3)).length === chains, {
    what: 'the index to have the end of every chain',
  });
});
