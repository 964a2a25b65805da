import { freePort } from '../support/free-port';
import { get } from '../support/http';
import { LEXICAL } from '../support/memories';
import type { Stage } from '../support/stage';
import { openStage } from '../support/stage';

jest.setTimeout(60_000);

describe('the probes of a worker', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  test('say that it lives and polls, and nothing else is there', async () => {
    const port = await freePort();
    await stage.worker({ ...LEXICAL, WORKER_PROBE_PORT: String(port) });
    const at = `http://127.0.0.1:${port}`;
    expect((await get(`${at}/livez`)).body).toEqual({ status: 'live' });
    const ready = await get(`${at}/readyz`);
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }]);
    expect((await get(`${at}/api/tools`)).status).toBe(404);

    const second = stage.spawn('worker', { ...LEXICAL, WORKER_PROBE_PORT: String(port) });
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/^worker: Port \d+ \(WORKER_PROBE_PORT\) is in use; .*$/);
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
  });
});
