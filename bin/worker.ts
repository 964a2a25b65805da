import { checkModels } from '../src/llm/discovery/check-models';
import { toDeploymentVersion } from '../worker/deployment';
import { openFoundation } from './foundation';
import { addWorker } from './add-worker';
import { runProcess, type Part } from './process';
import { logEgressOfWorker } from './exposure';
import { startProbes } from '../api/http/probes';

/** Runs a worker alone. An operator starts as many as the load needs. */
runProcess(
  'worker',
  async (started) => {
    const { logger } = started;
    const config = await checkModels(started.config, logger);
    const part = { ...started, config };
    const version = toDeploymentVersion(config);
    logEgressOfWorker(part);
    let isReady = (): boolean => false;
    await addProbes(part, () => isReady());
    const foundation = await openFoundation(part);
    const worker = await addWorker(part, foundation);
    await worker.polling;
    const { TASK_QUEUE: taskQueue, WORKER_QUEUES: queues } = config;
    isReady = () => worker.isPolling() && foundation.engine.isReachable() && !foundation.disk.isFull();
    const polled = { taskQueue, queues, temporal: foundation.engine.address };
    logger.info({ ...polled, ...version }, 'the worker is polling');
  },
  'worker',
);

/** Serves the probes. They start first, so that a worker that waits for its stores is seen to be alive. */
async function addProbes({ config, release }: Part, isReady: () => boolean): Promise<void> {
  const port = config.WORKER_PROBE_PORT;
  if (port === undefined) return;
  const server = await startProbes(isReady, { host: config.HOST, port, portSetting: 'WORKER_PROBE_PORT' });
  release(() => server.close(0));
}
