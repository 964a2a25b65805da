import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './errors.mjs';
import { PROJECT_ROOT } from './paths.mjs';
import { ensureVirtualEnv, findVirtualEnv } from './virtual-env.mjs';

const NAME = 'python-worker';
const requirementsIn = (root) => join(root, 'test', 'external', 'requirements.txt');

/**
 * Provides a virtual environment with Temporal's SDK for Python, in the version that test/external pins, for a worker that is no part
 * of the service.
 *
 * @param {string} root
 * @throws {SetupError} if Python is not installed, or pip cannot fetch the package
 */
export async function ensurePythonWorker(root, env = process.env) {
  const what = "Temporal's SDK for Python";
  await ensureVirtualEnv(NAME, requirementsIn(root), { what, cost: { fetches: 15, keeps: 80 }, env });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    if (!process.argv.includes('--check')) await ensurePythonWorker(PROJECT_ROOT);
    const folder = findVirtualEnv(NAME, requirementsIn(PROJECT_ROOT));
    process.stdout.write(folder === undefined ? '' : join(folder, 'bin', 'python'));
  });
}
