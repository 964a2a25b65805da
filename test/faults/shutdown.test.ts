import { apiCall, calculator } from '../support/calls';
import { freePort } from '../support/free-port';
import type { HoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import { type Load, startLoad } from '../support/load';
import type { PartProcess } from '../support/process';
import { completedIds, eventsOf, figures, onlyRun, pidOfActivity, settledRuns } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { isAlive, temporalServerPid } from '../support/temporal-server';

const GRACE_MS = 3_000;
const CALLERS = 16;
/** The caller got no connection, or one that was closed before its request was read. */
const REFUSED = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);

let stage: Stage;
let peer: HoldingPeer;

afterEach(() => stage.close());

const execute = (api: Api, call: unknown): Promise<Answer> => api.post('/api/tools/execute', call);

/** Uses keep-alive connections, as most clients do. */
function calculate(api: Api, callsEach: number): Load {
  const headers = { connection: 'keep-alive' };
  return startLoad(CALLERS, callsEach, (n) =>
    api.post('/api/tools/execute', calculator('add', n, 1), headers),
  );
}

/** System code of a request that got no answer. */
function codeOf(failure: unknown): unknown {
  const { cause } = failure as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code;
}

describe('a worker that gets SIGTERM', () => {
  let api: Api;
  let workers: PartProcess[];

  async function start(settings: Readonly<Record<string, string>>): Promise<void> {
    stage = await openStage();
    ({ peer } = stage);
    [api, ...workers] = await Promise.all([stage.api(), stage.worker(settings), stage.worker(settings)]);
  }

  async function holder(): Promise<PartProcess> {
    const pid = await pidOfActivity(stage, (await onlyRun(stage)).workflowId);
    return workers.find((worker) => worker.pid === pid)!;
  }

  test('under load finishes what it has, and another does the rest', async () => {
    // A worker that waited until its grace time is over would exceed the time limit of the test.
    await start({ SHUTDOWN_GRACE_MS: '600000' });
    const held = execute(api, apiCall(`${peer.url}/held`));
    await peer.arrived('/held');
    const leaving = await holder();
    const load = calculate(api, 6);
    await load.reached(CALLERS);

    const exit = leaving.stop();
    await leaving.line('stopping');
    peer.release('/held');
    await load.done;

    expect(await exit).toBe(0);
    expect(load.failures).toEqual([]);
    expect(new Set([await held, ...load.answers].map(({ status }) => status))).toEqual(new Set([200]));
    expect(peer.count('/held')).toBe(1);
    const calls = CALLERS * 6 + 1;
    expect(await figures(api)).toEqual({
      totalExecutions: calls,
      successfulExecutions: calls,
      failedExecutions: 0,
    });
  });

  test('hands back what it cannot finish in its grace time', async () => {
    await start({ SHUTDOWN_GRACE_MS: String(GRACE_MS) });
    const held = execute(api, apiCall(`${peer.url}/held`));
    await peer.arrived('/held');
    const leaving = await holder();

    expect(await leaving.stop()).toBe(0);
    await peer.arrived('/held', 2);
    peer.release('/held');
    const { status, headers } = await held;
    expect(status).toBe(200);
    // The worker reported the attempt when it stopped, so the server did not have to wait for missing heartbeats.
    const workflowId = headers.get('x-workflow-id') ?? '';
    const [started] = await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_STARTED');
    const { attempt, lastFailure } = started?.activityTaskStartedEventAttributes ?? {};
    expect([attempt, lastFailure?.timeoutFailureInfo ?? null]).toEqual([2, null]);
    expect(await figures(api)).toEqual({ totalExecutions: 1, successfulExecutions: 1, failedExecutions: 0 });
  });
});

describe('all in one process', () => {
  let ports: Record<string, string>;

  beforeEach(async () => {
    stage = await openStage({ ownTemporal: true });
    ({ peer } = stage);
    ports = { PORT: String(await freePort()), RECORDS_PORT: String(await freePort()) };
  });

  test('SIGTERM under load loses nothing that was acknowledged, and takes the Temporal server along', async () => {
    const first = await stage.allInOne(ports);
    const server = temporalServerPid(stage.dataDir);
    const inTime = execute(first, apiCall(`${peer.url}/held-short`));
    const tooLong = execute(first, apiCall(`${peer.url}/held-long`));
    await Promise.all([peer.arrived('/held-short'), peer.arrived('/held-long')]);
    const load = calculate(first, 1_000);
    await load.reached(CALLERS * 2);

    const exit = first.process.stop();
    await first.process.line('stopping');
    peer.release('/held-short');
    expect((await inTime).status).toBe(200);
    const stopped = await tooLong;
    expect([stopped.status, stopped.body.message]).toEqual([503, 'Run still in progress']);
    expect(stopped.body.error).toContain('being stopped');
    await load.done;
    // The test releases the longer call only after the process has ended.
    expect(await exit).toBe(0);
    expect(isAlive(server)).toBe(false);
    expect(load.answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(load.failures.map(codeOf).filter((code) => !REFUSED.has(code))).toEqual([]);

    const second = await stage.allInOne(ports);
    peer.release('/held-long');
    const runs = await settledRuns(stage, second);
    const completed = completedIds(runs);
    expect(completed.size).toBe(runs.length);
    // A caller without an answer has no run, because every run belongs to an answer.
    expect(runs).toHaveLength(load.answers.length + 2);
    const told200 = [...load.answers, await inTime].map(({ headers }) => headers.get('x-trace-id'));
    expect(told200.filter((traceId) => !completed.has(traceId ?? ''))).toEqual([]);
    expect(completed).toContain(stopped.body.details.traceId);
  });

  test('after kill -9 the next start takes over the Temporal server and the unfinished run', async () => {
    const first = await stage.allInOne(ports);
    const server = temporalServerPid(stage.dataDir);
    const lost = expect(execute(first, apiCall(`${peer.url}/held`))).rejects.toThrow();
    await peer.arrived('/held');
    await first.process.kill();
    await lost;
    expect(isAlive(server)).toBe(true);

    const second = await stage.allInOne(ports);
    expect(second.url).toBe(first.url);
    expect(temporalServerPid(stage.dataDir)).toBe(server);
    await peer.arrived('/held', 2);
    peer.release('/held');
    const [run] = await settledRuns(stage, second);
    expect(run?.status.name).toBe('COMPLETED');
    expect(await figures(second)).toEqual({
      totalExecutions: 1,
      successfulExecutions: 1,
      failedExecutions: 0,
    });
  });
});
