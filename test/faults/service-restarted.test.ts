import { temporal } from '@temporalio/proto';
import { apiCall, calculator } from '../support/calls';
import { freePort } from '../support/free-port';
import { buildHarmful, harmfulCall } from '../support/harmful-workflows';
import type { Answer } from '../support/http';
import { completedIds, listRuns, pidOf } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import { isAlive } from '../support/temporal-server';
import { waitFor } from '../support/wait';

let dir: TempDir;
let root: string;
let stage: Stage;
let service: Api;

beforeAll(async () => {
  dir = makeTempDir();
  root = await buildHarmful(dir.path);
});
afterAll(() => dir.remove());

beforeEach(async () => {
  stage = await openStage();
  service = await stage.allInOne(
    { PORT: String(await freePort()), RECORDS_PORT: String(await freePort()), TOOL_TIMEOUT_MS: '150000' },
    { root },
  );
});
afterEach(() => stage.close());

const keyed = (key: string, call: unknown): Promise<Answer> =>
  service.post('/api/tools/execute', call, { 'idempotency-key': key });

/** Repeats a request with a key, as a caller does, until the service is there and ready (no 503). */
const insist = (key: string, call: unknown): Promise<Answer> =>
  waitFor(
    async () => {
      const answer = await keyed(key, call);
      return answer.status !== 503 && answer;
    },
    { what: `an answer to ${key}` },
  );

async function workersHealth() {
  return (await service.get('/api/health/detailed')).body.data.services.workers;
}

/** Pid of the running process that polls for workflow tasks. */
async function servingPid(): Promise<number> {
  const { pollers } = await stage.client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: stage.taskQueue },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  return (pollers ?? []).map(({ identity }) => pidOf(identity)).find(isAlive)!;
}

test('a run that aborts the process is ended after the second time; the service is back by itself and tells of it', async () => {
  const long = apiCall(`${stage.peer.url}/held`);
  const lost = keyed('long', long).catch(() => undefined);
  await stage.peer.arrived('/held');
  const light = Array.from({ length: 8 }, (_, n) => insist(`light-${n}`, calculator('add', n, 1)));

  const ended = await insist('harmful', harmfulCall('abort'));
  expect([ended.status, ended.body.message]).toEqual([500, 'Run ended its worker']);
  const { traceId } = ended.body.details as { traceId: string };
  const found = await waitFor(
    async () => {
      const answer = await service.get(`/api/runs/${traceId}`);
      return answer.status === 200 && answer;
    },
    { what: 'the run to be listed' },
  );
  expect(found.body.data).toMatchObject({ status: 'terminated', error: { code: 'RUN_HARMFUL' } });

  expect((await Promise.all(light)).map(({ status, body }) => [status, body.data?.result])).toEqual(
    light.map((_, n) => [200, n + 1]),
  );
  await lost;
  stage.peer.release('/held');
  const answer = await insist('long', long);
  expect(answer.status).toBe(200);
  const runs = await listRuns(stage.client, stage.taskQueue);
  expect(runs.length - completedIds(runs).size).toBe(1);

  const last = {
    at: expect.any(String),
    reason: expect.stringMatching(/SIGABRT.*in workflow code of executeTool/),
  };
  expect(await workersHealth()).toMatchObject({
    status: 'healthy',
    abnormalEnds: { count: 2, last },
    endedRuns: { count: 1 },
  });
  const restarts = service.process.lines.filter(
    ({ msg }) => msg === 'the service ended abnormally and was started again',
  );
  expect(restarts.map(({ reason, restarts: n }) => [reason, n])).toEqual([
    ['SIGABRT', 1],
    ['SIGABRT', 2],
  ]);
  expect(service.process.running).toBe(true);
});

test('a service that is killed is started again, and ends with its parent', async () => {
  const first = await servingPid();
  expect(first).not.toBe(service.process.pid);
  process.kill(first, 'SIGKILL');
  await service.process.line('the service ended abnormally and was started again');
  await waitFor(async () => (await keyed('again', calculator('add', 1, 1))).status === 200, {
    what: 'the service to be back',
  });
  expect((await workersHealth()).abnormalEnds).toMatchObject({
    count: 1,
    last: { reason: expect.stringContaining('SIGKILL') },
  });
  // It counts what was left just before it takes work, and by then the API is there: what work does to it is no failed start.
  const messages = service.process.lines.map(({ msg }) => msg);
  const counted = messages.indexOf('a worker had ended without being stopped');
  const apiAt = messages.findLastIndex((msg) => msg.endsWith('call private and loopback addresses'));
  expect(apiAt).toBeGreaterThan(messages.indexOf('the service ended abnormally and was started again'));
  expect(counted).toBeGreaterThan(apiAt);
  const second = await servingPid();
  expect(second).not.toBe(first);
  await service.process.kill();
  await waitFor(() => !isAlive(second), { what: 'the service to end' });
});
