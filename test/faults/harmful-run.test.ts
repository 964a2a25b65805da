import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { formatLine, type NotedRun, readNote } from '../../temporal/sdk-patches/note-file';
import { noteFolder, processId } from '../../worker/note-files';
import { apiCall, calculator } from '../support/calls';
import { buildHarmful, harmfulCall } from '../support/harmful-workflows';
import type { Answer } from '../support/http';
import { startLoad } from '../support/load';
import type { PartProcess } from '../support/process';
import { onlyRun } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

let dir: TempDir;
let root: string;
let stage: Stage;
let api: Api;
/** Stops the restarting of workers, so that a failed test starts no more of them. */
let release: () => void;

beforeAll(async () => {
  dir = makeTempDir();
  root = await buildHarmful(dir.path);
});
afterAll(() => dir.remove());

beforeEach(async () => {
  stage = await openStage();
  // The duration of a stall depends on the machine.
  api = await stage.api({ WAIT_LIMIT_MS: '250000', TOOL_TIMEOUT_MS: '250000' });
  release = () => undefined;
});
afterEach(() => {
  release();
  return stage.close();
});

const execute = (call: unknown): Promise<Answer> => api.post('/api/tools/execute', call);

/** Restarts a worker that ended by itself, as an orchestrator does. */
async function keepWorker(env: Readonly<Record<string, string>>): Promise<unknown[]> {
  const deaths: unknown[] = [];
  let isOver = false;
  let worker: PartProcess = await stage.worker(env, { root });
  const watch = (): void =>
    void worker.exited.then((how) => {
      if (isOver) return;
      deaths.push(how);
      worker = stage.spawn('worker', env, { root });
      watch();
    });
  watch();
  release = () => (isOver = true);
  return deaths;
}

/** The run that the worker's thread executes now. */
function noted(): NotedRun | undefined {
  const folder = noteFolder(stage.dataDir);
  return readdirSync(folder)
    .map((name) => readNote(join(folder, name)))
    .find((run) => run !== undefined);
}

async function workersHealth() {
  return (await api.get('/api/health/detailed')).body.data.services.workers;
}

async function expectEnded(answer: Answer): Promise<void> {
  expect([answer.status, answer.body.message]).toEqual([500, 'Run ended its worker']);
  expect(answer.body.error).toBe(
    'The run was ended because its workflow code ended or stalled its worker twice',
  );
  const { traceId, workflowId } = answer.body.details as Record<string, string>;
  const found = await api.get(`/api/runs/${traceId}?workflowId=${workflowId}`);
  expect(found.body.data).toMatchObject({ status: 'terminated', error: { code: 'RUN_HARMFUL' } });
  // It is counted once it has been terminated.
  const counted = await waitFor(
    async () => {
      const { endedRuns } = await workersHealth();
      return endedRuns?.count > 0 ? endedRuns : undefined;
    },
    { what: 'the ended run to be counted' },
  );
  expect(counted).toMatchObject({ count: 1, last: { reason: expect.any(String) } });
}

test.each(['abort', 'heap', 'stall'] as const)(
  'a run that ends or stalls its worker (%s) is ended after the second time, and all others complete',
  async (kind) => {
    // The heap is small, so that it is full before the thread counts as stalled.
    const deaths = await keepWorker(kind === 'heap' ? { NODE_OPTIONS: '--max-old-space-size=160' } : {});
    const long = api.post('/api/tools/execute-sequential', {
      tools: [calculator('add', 1, 2), apiCall(`${stage.peer.url}/held`), calculator('add', 3, 4)],
    });
    await stage.peer.arrived('/held');
    const load = startLoad(4, 25, (n) => execute(calculator('add', n, 1)));
    await load.reached(4);

    await expectEnded(await execute(harmfulCall(kind)));

    stage.peer.release('/held');
    expect((await long).body).toMatchObject({ success: true, data: { results: [{}, {}, {}] } });
    await load.done;
    expect(load.failures).toEqual([]);
    expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(deaths).toEqual(kind === 'abort' ? ['SIGABRT', 'SIGABRT'] : []);
    const ends = { abort: 2, heap: 2, stall: 0 }[kind];
    expect(await workersHealth()).toMatchObject({ status: 'healthy', abnormalEnds: { count: ends } });
    expect((await execute(calculator('add', 1, 1))).body.data.result).toBe(2);
  },
);

test('a worker that is stopped for longer than a stall in the midst of a slow task is to blame, and no run', async () => {
  const worker = await stage.worker({}, { root });
  const answer = execute(harmfulCall('slow'));
  const { workflowId } = await waitFor(noted, { what: 'the task to be executed' });
  worker.signal('SIGSTOP');
  await waitFor(
    async () => {
      const { events } = await stage.client.workflow.getHandle(workflowId).fetchHistory();
      return (events ?? []).some(({ workflowTaskTimedOutEventAttributes: timedOut }) => timedOut != null);
    },
    { what: 'the task to be given up by the server' },
  );
  worker.signal('SIGCONT');
  const { status, body } = await answer;
  expect([status, body.message, body.error]).toEqual([200, expect.any(String), undefined]);
  expect(worker.lines.map(({ msg }) => msg)).not.toContain(
    'the workflow code of a run ended or stalled its worker',
  );
});

test('a run that completes its task after a worker was killed in it is not ended when that happens again', async () => {
  // A worker leaves this note when it is killed during the run.
  const leaveNote = ({ workflowId, runId, type }: WorkflowExecutionInfo, n: number): void => {
    const line = formatLine({ workflowId, runId, workflowType: type });
    const folder = noteFolder(stage.dataDir);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${processId({ pid: process.pid, start: 'before' })}~${n}`), line);
  };
  const strikes = (worker: PartProcess): unknown[] =>
    worker.lines.flatMap(({ msg, strikes: count }) =>
      msg === 'the workflow code of a run ended or stalled its worker' ? [count] : [],
    );

  let worker = await stage.worker();
  const { peer } = stage;
  const held = ['/held/first', '/held/second'];
  const answer = api.post('/api/tools/execute-sequential', {
    tools: held.map((path) => apiCall(`${peer.url}${path}`)),
  });
  for (const [n, path] of held.entries()) {
    await peer.arrived(path);
    await worker.kill();
    leaveNote(await onlyRun(stage), n);
    worker = await stage.worker();
    await waitFor(() => strikes(worker).length > 0, { what: 'the strike' });
    expect(strikes(worker)).toEqual([1]);
    peer.release(path);
  }
  expect((await answer).body).toMatchObject({ success: true, data: { results: [{}, {}] } });
});
