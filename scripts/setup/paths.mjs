import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of this checkout. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** One lock for installing and building: neither may run while the other does. */
export const projectLock = (root) => join(root, 'dist', '.setup.lock');

/** Where what was fetched or built once is kept for every checkout of this user. */
export function cacheFolder(env = process.env) {
  if (env.HOLDFAST_CACHE_DIR) return env.HOLDFAST_CACHE_DIR;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
}
