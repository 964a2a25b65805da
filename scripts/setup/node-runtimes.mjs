import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findApart, installApart } from './install-apart.mjs';

/** The only platform for which test/runtimes pins packages. */
export const RUNTIMES_PLATFORM = 'linux-x64';
/** The folder in the cache. */
const NAME = 'node-runtimes';

/**
 * Lists the releases of Node.js that test/runtimes pins, the oldest first.
 *
 * @param {string} root
 * @returns {{ name: string, version: string }[]} `name` is the package's name in test/runtimes
 */
export function listNodeRuntimes(root) {
  const { packages } = JSON.parse(readFileSync(join(sourceIn(root), 'package-lock.json'), 'utf8'));
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
  const folder = await installApart(NAME, sourceIn(root), {
    what: 'the releases of Node.js to try',
    runsScripts: true,
    // Each release has a program of the same name.
    linksPrograms: false,
    cost: { fetches: 105, keeps: 390 },
    env,
  });
  return pathsIn(folder, root);
}

/** Finds the releases of an earlier set-up. @returns {{ version: string, path: string }[]} none if they are not there */
export function findNodeRuntimes(root, env = process.env) {
  const folder = findApart(NAME, sourceIn(root), env);
  return folder === undefined ? [] : pathsIn(folder, root);
}

function sourceIn(root) {
  return join(root, 'test', 'runtimes');
}

function pathsIn(folder, root) {
  return listNodeRuntimes(root).map(({ name, version }) => ({
    version,
    path: join(folder, 'node_modules', name, 'bin', 'node'),
  }));
}
