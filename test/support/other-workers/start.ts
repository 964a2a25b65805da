import { resolve } from 'node:path';
import { type PartProcess, spawnProgram } from '../process';
import { sharedTemporal } from '../service';

/** Starts a worker that is no part of the service, on the shared Temporal server by default, and waits until it polls. */
export async function startOtherWorker(queue: string, address = sharedTemporal()): Promise<PartProcess> {
  const script = resolve(__dirname, 'worker.cjs');
  const started = spawnProgram('the other worker', process.execPath, [script], {
    ADDRESS: address,
    QUEUE: queue,
  });
  await started.line('polling');
  return started;
}
