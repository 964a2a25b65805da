import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../fixture-project';
import { type PartProcess, spawnProgram } from '../process';
import { sharedTemporal } from '../service';

const SET_UP = join(ROOT, 'scripts', 'setup', 'python-worker.mjs');
const python = spawnSync(process.execPath, [SET_UP, '--check'], { encoding: 'utf8' }).stdout;

/** Describes what needs a worker in Python. It is skipped where Temporal's SDK is not installed, except in CI. */
export const describeWithPython = python === '' && process.env['CI'] !== 'true' ? describe.skip : describe;

/** Starts the worker in Python on the shared Temporal server, and waits until it polls. */
export async function startPythonWorker(queue: string): Promise<PartProcess> {
  const script = join(ROOT, 'test', 'external', 'worker.py');
  const started = spawnProgram('the worker in Python', python, [script], {
    ADDRESS: sharedTemporal(),
    QUEUE: queue,
  });
  await started.line('polling');
  return started;
}
