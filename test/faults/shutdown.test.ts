import { apiCall, calculator } from '../support/calls';
import { freePort } from '../support/free-port';
import type { HoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import type { Load } from '../support/load';
import { startLoad } from '../support/load';
import type { PartProcess } from '../support/process';
import { completedIds, figures, onlyRun, pidOfActivity, settledRuns } from '../support/runs';
import type { Api, Stage } from '../support/stage';
import { openStage } from '../support/stage';
import { isAlive, temporalServerPid } from '../support/temporal-server';

jest.setTimeout(90_000);

const GRACE_MS = 3_000;
const CALLERS = 16;
/** No connection, or one that was closed before the request on it was read. */
const REFUSED = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);

let stage: Stage;
let peer: HoldingPeer;

afterEach(() => stage.close());

const execute = (api: Api, call: unknown): Promise<Answer> => api.post('/api/tools/execute', call);

/** Over connections that are kept, as most clients do. */
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

async function exitOf(part: PartProcess): Promise<{ code: number | NodeJS.Signals; ms: number }> {
  const started = performance.now();
  const code = await part.stop();
  return { code, ms: performance.now() - started };
}

describe('a worker that gets SIGTERM', () => {
  let api: Api;
  let workers: PartProcess[];

  beforeEach(async () => {
    stage = await openStage();
    ({ peer } = stage);
    const started = await Promise.all([stage.api(), stage.worker(), stage.worker()]);
    [api] = started;
    workers = started.slice(1) as PartProcess[];
  });

  async function holder(): Promise<PartProcess> {
    const pid = await pidOfActivity(stage, (await onlyRun(stage)).workflowId);
    return workers.find((worker) => worker.pid === pid)!;
  }

  test('under load finishes what it has, and another does the rest', async () => {
    const held = execute(api, apiCall(`${peer.url}/held`));
    await peer.arrived('/held');
    const leaving = await holder();
    const load = calculate(api, 6);
    await load.reached(CALLERS);

    const exit = exitOf(leaving);
    await leaving.line('stopping');
    peer.release('/held');
    await load.done;

    const { code, ms } = await exit;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(GRACE_MS);
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
    const held = execute(api, apiCall(`${peer.url}/held`));
    await peer.arrived('/held');
    const leaving = await holder();

    const { code, ms } = await exitOf(leaving);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(GRACE_MS + 2_000);
    // At once, and not when its missing heartbeats are noticed.
    await peer.arrived('/held', 2, 2_000);
    peer.release('/held');
    expect((await held).status).toBe(200);
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

    const exit = exitOf(first.process);
    await first.process.line('stopping');
    peer.release('/held-short');
    expect((await inTime).status).toBe(200);
    const told = await tooLong;
    expect([told.status, told.body.message]).toEqual([503, 'Run still in progress']);
    expect(told.body.error).toContain('being stopped');
    await load.done;
    const { code, ms } = await exit;
    expect(code).toBe(0);
    // Requests have their grace time, and then what the worker has left.
    expect(ms).toBeLessThan(2 * GRACE_MS + 4_000);
    expect(isAlive(server)).toBe(false);
    expect(load.answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(load.failures.map(codeOf).filter((code) => !REFUSED.has(code))).toEqual([]);

    const second = await stage.allInOne(ports);
    peer.release('/held-long');
    const runs = await settledRuns(stage, second);
    const completed = completedIds(runs);
    expect(completed.size).toBe(runs.length);
    // Whoever was not answered was not let in either: every run belongs to an answer.
    expect(runs).toHaveLength(load.answers.length + 2);
    const told200 = [...load.answers, await inTime].map(({ headers }) => headers.get('x-trace-id'));
    expect(told200.filter((traceId) => !completed.has(traceId ?? ''))).toEqual([]);
    expect(completed).toContain(told.body.details.traceId);
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
    await peer.arrived('/held', 2, 10_000);
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
