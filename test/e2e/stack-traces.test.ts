import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createNotedWorker } from '../../temporal/sdk-patches/noted-worker';
import { sharedTemporal } from '../support/service';
import { makeTempDir } from '../support/temp-dir';

const ROOT = resolve(__dirname, '..', '..');

/** A workflow that waits in every way that leaves promises of its own, after some that have settled. */
const WAITS = `
  import { CancellationScope, Trigger, condition, sleep } from '@temporalio/workflow';
  const never = new Promise<void>(() => undefined);
  async function deep(levels: number): Promise<void> {
    if (levels > 0) await deep(levels - 1);
    else await condition(() => false);
  }
  class Waiting {
    async once() { await new Trigger<void>(); }
  }
  export async function waits(): Promise<void> {
    await Promise.all([1, 2].map(async (n) => n + 1));
    await Promise.allSettled([Promise.reject(new Error('settled')), sleep(1)]);
    await Promise.race([
      deep(12),
      new Waiting().once(),
      Promise.all([sleep('1 day'), deep(1).then(() => 1)]),
      Promise.allSettled([never.finally(() => undefined)]),
      Promise.any([CancellationScope.cancellable(() => sleep('2 days'))]),
    ]);
  }`;

/** Bundles the workflow in a process of its own, because the bundler loads modules without jest's module system. */
async function bundle(dir: string): Promise<string> {
  const code = join(dir, 'bundle.js');
  writeFileSync(join(dir, 'waits.ts'), WAITS);
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  const script = `const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
    bundleWorkflowCode({ workflowsPath: process.argv[1], logger: new DefaultLogger('ERROR') })
      .then(({ code }) => require('fs').writeFileSync(process.argv[2], code));`;
  await promisify(execFile)(process.execPath, ['-e', script, join(dir, 'waits.ts'), code], { cwd: ROOT });
  return code;
}

/** Runs the workflow until it waits. @returns the answers that the Temporal UI asks for */
async function readTraces(
  connection: NativeConnection,
  createWorker: (options: WorkerOptions) => Promise<Worker>,
  codePath: string,
): Promise<{ readonly plain: string; readonly enhanced: unknown }> {
  const taskQueue = `test-${randomUUID()}`;
  const worker = await createWorker({ connection, taskQueue, workflowBundle: { codePath } });
  const running = worker.run();
  const { workflow } = new Client({ connection });
  const handle = await workflow.start('waits', { taskQueue, workflowId: taskQueue });
  let plain = '';
  while (!plain.includes('deep')) plain = await handle.query<string>('__stack_trace');
  const enhanced = await handle.query('__enhanced_stack_trace');
  await handle.terminate();
  worker.shutdown();
  await running;
  return { plain, enhanced };
}

test('a run that waits has the same stack traces as on a worker of the SDK', async () => {
  const dir = makeTempDir();
  const path = await bundle(dir.path);
  const connection = await NativeConnection.connect({ address: sharedTemporal() });
  const serial = new Int32Array(new SharedArrayBuffer(8));
  const data = { path: join(dir.path, 'note'), serial, formatsOnDemand: true };

  const expected = await readTraces(connection, (options) => Worker.create(options), path);
  const noted = async (options: WorkerOptions): Promise<Worker> =>
    (await createNotedWorker(options, { data, onExit: () => undefined, onTaskFailure: () => undefined }))
      .worker;
  const traces = await readTraces(connection, noted, path);

  expect(traces).toEqual(expected);
  expect(traces.plain.split('\n\n').length).toBeGreaterThan(4);
  expect(traces.plain).toMatch(/at Waiting.once \(.*waits\.ts:\d+:\d+\)/);
  await connection.close();
  dir.remove();
});
