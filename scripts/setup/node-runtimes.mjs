import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { makeScratchFolder } from './scratch.mjs';

/** The only platform for which test/runtimes pins packages. */
export const RUNTIMES_PLATFORM = 'linux-x64';

/**
 * Lists the releases of Node.js that test/runtimes pins, the oldest first.
 *
 * @param {string} root
 * @returns {{ name: string, version: string }[]} `name` is the package's name in test/runtimes
 */
export function listNodeRuntimes(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'test', 'runtimes', 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => ({ name: path.replace('node_modules/', ''), version }))
    .sort((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }));
}

/**
 * Provides the releases of Node.js that test/runtimes pins. npm installs them into the cache folder, where they are on
 * no PATH. A package has the headers beside the binary, so native packages are compiled for it without a download.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ version: string, path: string }[]>} `path` is that of the binary
 * @throws {SetupError} if npm cannot install them
 */
export async function ensureNodeRuntimes(root, env = process.env) {
  const { source, folder } = placesOf(root, env);
  // The folder is complete if it exists, because a rename puts it there.
  if (!existsSync(folder)) await install(source, folder, env);
  return pathsIn(folder, root);
}

/** Finds the releases of an earlier set-up. @returns {{ version: string, path: string }[]} none if they are not there */
export function findNodeRuntimes(root, env = process.env) {
  const { folder } = placesOf(root, env);
  return existsSync(folder) ? pathsIn(folder, root) : [];
}

function placesOf(root, env) {
  const source = join(root, 'test', 'runtimes');
  const lockFile = readFileSync(join(source, 'package-lock.json'));
  const digest = createHash('sha256').update(lockFile).digest('hex').slice(0, 16);
  return { source, folder: join(cacheFolder(env), 'node-runtimes', digest) };
}

function pathsIn(folder, root) {
  return listNodeRuntimes(root).map(({ name, version }) => ({
    version,
    path: join(folder, 'node_modules', name, 'bin', 'node'),
  }));
}

async function install(source, folder, env) {
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${dirname(folder)}.lock`, 'installs releases of Node.js', async (lock) => {
    if (existsSync(folder)) return;
    const scratch = makeScratchFolder(dirname(folder));
    try {
      cpSync(source, scratch, { recursive: true });
      await withProgress(
        'installing the releases of Node.js to try',
        async () => {
          const args = ['ci', '--no-bin-links', '--no-audit', '--no-fund', '--loglevel=error'];
          const onStart = (pid) => lock.include(pid);
          const { code, tail } = await run('npm', args, { cwd: scratch, env, onStart });
          if (code !== 0) throw new SetupError(`${tail}\n\nnpm ci failed (code ${code}).`);
        },
        { cost: { fetches: 105, folder, keeps: 390 } },
      );
      renameSync(scratch, folder);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
}
