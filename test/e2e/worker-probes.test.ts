import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { apiCall } from '../support/calls';
import { PROJECT_ROOT } from '../support/deployment';
import { freePort } from '../support/free-port';
import { get } from '../support/http';
import { LEXICAL } from '../support/memories';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

describe('the probes of a worker', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  test('say that it lives and polls, and nothing else is there', async () => {
    const port = await freePort();
    const worker = await stage.worker({ ...LEXICAL, WORKER_PROBE_PORT: String(port) });
    const at = `http://127.0.0.1:${port}`;
    expect((await get(`${at}/livez`)).body).toEqual({ status: 'live' });
    const ready = await get(`${at}/readyz`);
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }]);
    expect((await get(`${at}/api/tools`)).status).toBe(404);

    const second = stage.spawn('worker', { ...LEXICAL, WORKER_PROBE_PORT: String(port) });
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/^worker: Port \d+ \(WORKER_PROBE_PORT\) is in use; .*$/);
    // The worker of the next test must be the only one that can take its call.
    expect(await worker.stop()).toBe(0);
  });

  test('say that it is not ready once it stops, while what it does is finished', async () => {
    const port = await freePort();
    const [api, worker] = await Promise.all([
      stage.api(LEXICAL),
      stage.worker({ ...LEXICAL, WORKER_PROBE_PORT: String(port), SHUTDOWN_GRACE_MS: '20000' }),
    ]);
    const path = '/held/drain';
    const answer = api.post('/api/tools/execute', apiCall(stage.peer.url + path));
    await stage.peer.arrived(path);
    const at = `http://127.0.0.1:${port}`;
    expect((await get(`${at}/readyz`)).status).toBe(200);
    const stopped = worker.stop();
    await waitFor(async () => (await get(`${at}/readyz`)).status === 503, { what: 'it not to be ready' });
    expect((await get(`${at}/livez`)).status).toBe(200);
    // Another worker takes the work that the first one no longer takes.
    const next = stage.worker(LEXICAL);
    stage.peer.release(path);
    expect((await answer).status).toBe(200);
    expect(await stopped).toBe(0);
    await next;
  });

  test('say that it is not ready while there is no engine', async () => {
    const port = await freePort();
    const worker = stage.spawn('worker', {
      ...LEXICAL,
      WORKER_PROBE_PORT: String(port),
      TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    });
    await worker.line('Temporal is not reachable; trying again');
    const at = `http://127.0.0.1:${port}`;
    expect([(await get(`${at}/livez`)).status, (await get(`${at}/readyz`)).status]).toEqual([200, 503]);
    // A container asks both: the worker is alive, and it is not ready.
    expect(await healthOf(port, [])).toBe(0);
    expect(await healthOf(port, ['/readyz'])).toBe(1);
  });
});

describe('the health check of a container', () => {
  test('fails where nothing listens', async () => {
    expect(await healthOf(await freePort(), [])).toBe(1);
  });
});

/** Exit code of the image's health check beside a worker whose probes are at this port. */
async function healthOf(port: number, args: readonly string[]): Promise<number> {
  const [api, records] = [await freePort(), await freePort()];
  const check = spawn(process.execPath, [resolve(PROJECT_ROOT, 'deploy/image/healthcheck.mjs'), ...args], {
    env: { PORT: String(api), RECORDS_PORT: String(records), WORKER_PROBE_PORT: String(port) },
    stdio: 'ignore',
  });
  const [code] = (await once(check, 'exit')) as [number];
  return code;
}
