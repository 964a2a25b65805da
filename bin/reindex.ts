import { parseArgs } from 'node:util';
import { REINDEX_PREFIX, reindexRun } from '../api/memory/memory-runs';
import type { ReindexResult } from '../src/contracts/runs/memory';
import { HoldfastError, messageOf } from '../src/base/errors';
import { newId } from '../src/base/ids';
import { createRunClient } from '../temporal/runs/run-client';
import { openEngine } from './foundation';
import { openMetrics } from './metrics';
import { runCommand } from './process';

/**
 * Moves all memories to the embedding model of the settings. With `--again` it also embeds memories again that have
 * moved already, so that all vectors are new. A worker with the same settings has to be running.
 */
runCommand('reindex', async (part) => {
  const { config, logger } = part;
  const run = reindexRun(parseAgain(process.argv.slice(2)));
  // The address of figures belongs to the service, beside which the command runs with the same settings.
  const ownPart = { ...part, config: { ...config, METRICS_ADDRESS: undefined } };
  const { engine } = await openEngine(part, openMetrics(ownPart));
  await engine.ready();
  const client = createRunClient({
    engine,
    logger,
    taskQueue: config.TASK_QUEUE,
    waitLimitMs: run.runTimeoutMs,
  });
  const requestId = newId();
  const result = await client.execute<ReindexResult>(
    { ...run, workflowId: `${REINDEX_PREFIX}/${requestId}`, requestId },
    ({ workflowId }) => logger.info({ workflowId }, 'memories are being moved'),
  );
  logger.info({ ...result }, 'memories are moved');
});

/**
 * Reads whether `--again` is given.
 * @throws HoldfastError `CONFIGURATION` with a message of one line
 */
function parseAgain(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { again: { type: 'boolean' } } }).values.again ?? false;
  } catch (error) {
    throw new HoldfastError('CONFIGURATION', messageOf(error));
  }
}
