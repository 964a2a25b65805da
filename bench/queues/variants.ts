import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { loadConfig } from '../../src/settings/config';
import { createSandbox } from '../../src/sandbox/create-sandbox';
import { workerTuning } from '../../worker/tuning';
import type { Call } from '../load';
import { createSteps } from './steps';

/** One way to set up a worker, and the call to measure with it. */
export interface Variant {
  readonly name: string;
  readonly call: Call;
}

/** Variants of one setting. Each is compared with the first, which is the set-up of the service. */
export interface Group {
  readonly name: string;
  readonly variants: readonly Variant[];
}

export interface Workers {
  readonly groups: readonly Group[];
  stop(): Promise<void>;
}

const SANDBOX_THREADS = 2;
const STEPS_IN_A_ROW = 5;
/** How long a step waits that stands for a call over a network, ms. */
const NETWORK_MS = 20;

/** Starts workers in this process on one connection, each with its own queue and settings. */
export async function startVariants(address: string): Promise<Workers> {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const connection = await NativeConnection.connect({ address });
  const client = new Client({ connection });
  const config = loadConfig({});
  const sandbox = createSandbox({ threads: SANDBOX_THREADS, limits: {} });
  const activities = createSteps(sandbox);
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: join(__dirname, 'workflows.js'),
    logger: new DefaultLogger('WARN'),
  });
  const running: { readonly worker: Worker; readonly done: Promise<void> }[] = [];

  async function start(kind: 'workflows' | 'io', options: Partial<WorkerOptions> = {}): Promise<string> {
    const taskQueue = `bench-${kind}-${randomUUID()}`;
    const worker = await Worker.create({
      connection,
      taskQueue,
      activities,
      ...(kind === 'workflows' ? { workflowBundle } : {}),
      ...workerTuning(config, kind),
      ...options,
    });
    running.push({ worker, done: worker.run() });
    return taskQueue;
  }

  const main = await start('workflows');
  const call =
    (workflow: string, args: unknown[], taskQueue = main): Call =>
    () =>
      client.workflow.execute(workflow, {
        args,
        taskQueue,
        workflowId: `bench/${randomUUID()}`,
        requestEagerStart: true,
        workflowTaskTimeout: '3s',
      });

  /** A variant with steps in a queue whose worker has these options. */
  async function inQueue(name: string, options: Partial<WorkerOptions>, ms = NETWORK_MS): Promise<Variant> {
    return { name, call: call('regular', [await start('io', options), ms]) };
  }
  /** A variant with runs on a queue whose worker has these options. */
  async function onQueue(
    name: string,
    options: Partial<WorkerOptions>,
    workflow: string,
    args: unknown[],
  ): Promise<Variant> {
    return { name, call: call(workflow, args, await start('workflows', options)) };
  }
  const simple = (maximum: number) => ({ maxConcurrentActivityTaskPolls: maximum });
  const autoscaling: Partial<WorkerOptions> = { activityTaskPollerBehavior: { type: 'autoscaling' } };
  const steps = await start('io');
  const several = [steps, STEPS_IN_A_ROW];
  const slots = async (each: number): Promise<Variant> => ({
    name: `${each} for each thread`,
    call: call('evaluated', [
      await start('io', { maxConcurrentActivityTaskExecutions: each * SANDBOX_THREADS }),
    ]),
  });

  const groups: Group[] = [
    {
      name: 'a step that takes no time',
      variants: [
        await inQueue('in a separate queue', {}, 0),
        { name: "in the run's queue, taken eagerly", call: call('regular', [undefined, 0]) },
      ],
    },
    {
      name: `a step that waits ${NETWORK_MS} ms`,
      variants: [
        await inQueue('in a separate queue', {}),
        { name: "in the run's queue, taken eagerly", call: call('regular', [undefined, NETWORK_MS]) },
      ],
    },
    {
      name: 'pollers for activities',
      variants: [
        await inQueue('5', {}),
        await inQueue('1', simple(1)),
        await inQueue('2', simple(2)),
        await inQueue('10', simple(10)),
        await inQueue('autoscaling', autoscaling),
      ],
    },
    {
      name: 'pollers for workflow tasks',
      variants: [
        { name: '10', call: call('light', []) },
        await onQueue('2', { maxConcurrentWorkflowTaskPolls: 2 }, 'light', []),
        await onQueue('5', { maxConcurrentWorkflowTaskPolls: 5 }, 'light', []),
        await onQueue('20', { maxConcurrentWorkflowTaskPolls: 20 }, 'light', []),
      ],
    },
    {
      name: `cached workflows, runs of ${STEPS_IN_A_ROW} steps`,
      variants: [
        { name: '500', call: call('several', several) },
        await onQueue('8', { maxCachedWorkflows: 8 }, 'several', several),
        await onQueue('0', { maxCachedWorkflows: 0 }, 'several', several),
      ],
    },
    { name: 'slots of the sandbox', variants: [await slots(2), await slots(1), await slots(4)] },
  ];
  return {
    groups,
    async stop() {
      for (const { worker } of running) worker.shutdown();
      await Promise.all(running.map(({ done }) => done));
      await sandbox.close();
      await connection.close();
    },
  };
}
