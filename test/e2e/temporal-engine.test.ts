import { loadConfig, type Config } from '../../src/settings/config';
import type { Logger } from '../../src/base/logger';
import { createEngine, type Engine } from '../../temporal/engine';
import type { Activities } from '../../worker/queue-activities';
import type { WorkerGuard } from '../../worker/worker-guard';
import { runWorkers } from '../../worker/run-workers';
import { sharedTemporal } from '../support/service';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { waitFor } from '../support/wait';

const quiet = (): void => undefined;
const logger = { info: quiet, warn: quiet, error: quiet } as unknown as Logger;

let proxy: TcpProxy;
let engine: Engine;

beforeEach(async () => {
  proxy = await startTcpProxy(sharedTemporal());
  engine = createEngine({
    config: { identity: 'test', environment: {} } as Config,
    logger,
    dataConverter: {},
    address: proxy.address,
  });
});

afterEach(async () => {
  await engine.close();
  await proxy.close();
});

test('knows the namespace by its id, and whether the server answers', async () => {
  expect(engine.isReachable()).toBe(false);
  const { namespaceId } = await engine.ready();
  expect(namespaceId).toMatch(/^[0-9a-f-]{36}$/);
  expect(engine.isReachable()).toBe(true);
  await engine.check();

  await proxy.close();
  await waitFor(() => !engine.isReachable(), { what: 'the loss to be noticed' });
  await expect(engine.check()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
});

test('empty variables of Temporal count as absent', async () => {
  const environment = {
    TEMPORAL_ADDRESS: sharedTemporal(),
    TEMPORAL_API_KEY: '',
    TEMPORAL_NAMESPACE: '',
    TEMPORAL_TLS: '',
    TEMPORAL_TLS_CLIENT_CERT_PATH: '',
  };
  const named = createEngine({ config: loadConfig(environment), logger, dataConverter: {} });
  expect((await named.ready()).namespace).toBe('default');
  await named.close();
});

test('a worker without its workflow bundle is refused at once', () => {
  // The bundle is part of the build, and this test runs from the sources.
  const start = (): unknown =>
    runWorkers({
      config: { WORKER_QUEUES: ['workflows'] } as unknown as Config,
      engine,
      dataConverter: {},
      activities: {} as Activities,
      logger,
      guard: {} as WorkerGuard,
      fail: () => undefined,
    });
  expect(start).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
});
