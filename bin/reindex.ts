import type { ReindexInput, ReindexResult } from '../src/contracts/memory-runs';
import { newId } from '../src/ids';
import { createRunClient } from '../temporal/run-client';
import { openFoundation } from './foundation';
import { runProcess } from './process';

/** Longest that moving may take: a day, milliseconds. */
const LIMIT_MS = 86_400_000;

/** Moves all memories to the embedding model of the settings. A worker with the same settings has to be running. */
runProcess('reindex', async (part) => {
  const { config, logger } = part;
  const { engine } = await openFoundation(part);
  await engine.ready();
  const client = createRunClient({
    engine,
    logger,
    taskQueue: config.TASK_QUEUE,
    waitLimitMs: LIMIT_MS,
    eagerStart: false,
  });
  const input: ReindexInput = {};
  const id = newId();
  const result = await client.execute<ReindexResult>(
    {
      workflowType: 'reindexMemories',
      workflowId: `reindex-memories/${id}`,
      input,
      subject: { area: 'memory' },
      summary: 'move memories to the configured embedding model',
      runTimeoutMs: LIMIT_MS,
      requestId: id,
    },
    ({ workflowId }) => logger.info({ workflowId }, 'memories are being moved'),
  );
  logger.info({ ...result }, 'memories are moved');
  process.kill(process.pid, 'SIGTERM');
});
