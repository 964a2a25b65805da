import { REINDEX_PREFIX, REINDEX_RUN } from '../api/memory/memory-runs';
import type { ReindexResult } from '../src/contracts/memory-runs';
import { newId } from '../src/ids';
import { createRunClient } from '../temporal/run-client';
import { openEngine } from './foundation';
import { openMetrics } from './metrics';
import { runProcess } from './process';

/** Moves all memories to the embedding model of the settings. A worker with the same settings has to be running. */
runProcess('reindex', async (part) => {
  const { config, logger } = part;
  const { engine } = await openEngine(part, openMetrics(part));
  await engine.ready();
  const client = createRunClient({
    engine,
    logger,
    taskQueue: config.TASK_QUEUE,
    waitLimitMs: REINDEX_RUN.runTimeoutMs,
  });
  const requestId = newId();
  const result = await client.execute<ReindexResult>(
    { ...REINDEX_RUN, workflowId: `${REINDEX_PREFIX}/${requestId}`, requestId },
    ({ workflowId }) => logger.info({ workflowId }, 'memories are being moved'),
  );
  logger.info({ ...result }, 'memories are moved');
  part.end();
});
