import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of this checkout. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The one lock for installing and building, because neither may run during the other. */
export const projectLock = (root) => join(root, 'dist', '.setup.lock');

/** The folder that keeps what was fetched or built once, for all checkouts of this user. */
export function cacheFolder(env = process.env) {
  // Go and Maven, which write into the folder, do not take a relative path as this process does.
  if (env.HOLDFAST_CACHE_DIR) return resolve(env.HOLDFAST_CACHE_DIR);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
}
