import { openFoundation } from './foundation';
import { addWorker } from './parts';
import { runProcess } from './process';

/** A worker alone; start as many as the load needs. */
runProcess('worker', async (part) => {
  const { config, logger } = part;
  const foundation = await openFoundation(part);
  const worker = await addWorker(part, foundation);
  await worker.polling;
  const { TASK_QUEUE: taskQueue, WORKER_QUEUES: queues } = config;
  logger.info({ taskQueue, queues, temporal: foundation.engine.address }, 'the worker is polling');
});
