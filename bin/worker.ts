import { deploymentVersionOf } from '../worker/deployment';
import { openFoundation } from './foundation';
import { addWorker } from './parts';
import { runProcess } from './process';

/** A worker alone; start as many as the load needs. */
runProcess('worker', async (part) => {
  const { config, logger } = part;
  const version = deploymentVersionOf(config);
  const foundation = await openFoundation(part);
  const worker = await addWorker(part, foundation);
  await worker.polling;
  const polled = { taskQueue: config.TASK_QUEUE, temporal: foundation.engine.address };
  logger.info({ ...polled, ...version }, 'the worker is polling');
});
