import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { loadConfig } from '../src/settings/config';
import { toSearchAttributes } from '../temporal/search-attributes';
import { commonTuning, queueTuning } from '../worker/tuning';
import { bareActivities } from './bare-activities';
import type { bare } from './bare-workflow';
import type { Call } from './load';

export interface Baseline {
  readonly call: Call;
  stop(): Promise<void>;
}

/**
 * Starts the fastest run that the engine allows, as a baseline: client and worker in this process on one connection,
 * eager start and one local activity. Worker options, search attributes and summary are those of the service.
 */
export async function startBaseline(address: string): Promise<Baseline> {
  // The log lines of the SDK would appear between the figures.
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const connection = await NativeConnection.connect({ address });
  const taskQueue = `bare-${randomUUID()}`;
  const config = loadConfig({});
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: join(__dirname, 'bare-workflow.js'),
      logger: new DefaultLogger('WARN'),
    }),
    activities: bareActivities,
    ...commonTuning(config),
    ...queueTuning(config, 'workflows'),
  });
  const running = worker.run();
  const client = new Client({ connection });
  const typedSearchAttributes = toSearchAttributes({ area: 'tools', tools: ['calculator'] });
  return {
    call: () =>
      client.workflow.execute<typeof bare>('bare', {
        args: [6, 7],
        taskQueue,
        workflowId: `bare/${randomUUID()}`,
        requestEagerStart: true,
        workflowTaskTimeout: '3s',
        workflowRunTimeout: 600_000,
        staticSummary: 'calculator {"operation":"multiply","a":6,"b":7}',
        typedSearchAttributes,
      }),
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
