import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { bareActivities } from './bare-activities';
import type { bare } from './bare-workflow';

export interface BareWorker {
  /** Runs the workflow. @returns the sum */
  run(a: number, b: number): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts the smallest run that the engine allows, as a baseline: client and worker in this process on one connection,
 * eager start and one local activity. Nothing of the service is in it: no search attributes, no summary, and the SDK's
 * own worker options.
 */
export async function startBareWorker(address: string): Promise<BareWorker> {
  // The log lines of the SDK would appear between the figures.
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const connection = await NativeConnection.connect({ address });
  const taskQueue = `bare-${randomUUID()}`;
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: join(__dirname, 'bare-workflow.js'),
      logger: new DefaultLogger('WARN'),
    }),
    activities: bareActivities,
  });
  const running = worker.run();
  const client = new Client({ connection });
  return {
    run: (a, b) =>
      client.workflow.execute<typeof bare>('bare', {
        args: [a, b],
        taskQueue,
        workflowId: `bare/${randomUUID()}`,
        requestEagerStart: true,
      }),
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
