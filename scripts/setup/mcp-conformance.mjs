import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

/**
 * Provides the official conformance suite of the Model Context Protocol, in the version that test/mcp/conformance pins. It
 * has a folder of its own, because it needs a newer Node.js than the service, which the package `node` brings and which
 * would be the first in the PATH of all the project's scripts.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ node: string, suite: string }>} the Node.js to run it with, and its program
 * @throws {SetupError} if npm cannot install it
 */
export async function ensureMcpConformance(root, env = process.env) {
  const source = join(root, 'test', 'mcp', 'conformance');
  const lockFile = readFileSync(join(source, 'package-lock.json'));
  const version = createHash('sha256').update(lockFile).digest('hex').slice(0, 16);
  const folder = join(cacheFolder(env), 'mcp-conformance', version);
  const program = {
    node: join(folder, 'node_modules', 'node', 'bin', 'node'),
    suite: join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
  };
  if (existsSync(folder)) return program;
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, 'installs the MCP conformance suite', async (lock) => {
    if (existsSync(folder)) return;
    const draft = `${folder}.draft`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(source, draft, { recursive: true });
    await withProgress(
      'installing the MCP conformance suite with its Node.js',
      async () => {
        const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
        const { code, tail } = await run('npm', args, {
          cwd: draft,
          env,
          onStart: (pid) => lock.include(pid),
        });
        if (code !== 0) throw new SetupError(`${tail}\n\nnpm ci failed (code ${code}).`);
      },
      { cost: { fetches: 80, folder, keeps: 240 } },
    );
    renameSync(draft, folder);
  });
  return program;
}
