import { resolve } from 'node:path';
import { type PartProcess, spawnProgram } from '../process';
import { sharedTemporal } from '../service';

const TYPESCRIPT = [process.execPath, resolve(__dirname, 'worker.cjs')] as const;

/**
 * Starts a worker that is no part of the service, and waits until it polls.
 * @param address of the Temporal server; the shared one by default
 */
export async function startOtherWorker(
  queue: string,
  address = sharedTemporal(),
  [program, ...args]: readonly [string, ...string[]] = TYPESCRIPT,
): Promise<PartProcess> {
  const started = spawnProgram('the other worker', program, args, { ADDRESS: address, QUEUE: queue });
  await started.line('polling');
  return started;
}
