import { join } from 'node:path';
import { ensureVirtualEnv } from './virtual-env.mjs';

/**
 * Provides Schemathesis in a separate virtual environment, in the version that test/openapi/requirements.txt pins.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} the path of its program
 * @throws {SetupError} if Python is not installed, or pip cannot fetch Schemathesis
 */
export async function ensureSchemathesis(root, env = process.env) {
  const requirements = join(root, 'test', 'openapi', 'requirements.txt');
  const cost = { fetches: 60 };
  const folder = await ensureVirtualEnv('schemathesis', requirements, { what: 'Schemathesis', cost, env });
  return join(folder, 'bin', 'schemathesis');
}
