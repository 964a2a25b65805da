import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Config } from '../settings/config';
import { HoldfastError, messageOf } from '../base/errors';

/**
 * Files and folders of the service in DATA_DIR: credentials and their key, memories, records, values of runs, files of users.
 * `cluster` is of 1.0.0.
 */
const OWN_FILES = ['secrets.key', 'holdfast.db', 'memory.db', 'records.db', 'temporal.db'];
const OWN_FOLDERS = ['payloads', 'imports', 'uploads', 'models', 'cluster', 'workflow-tasks', 'tenants'];

/**
 * Refuses a folder of readable files through which callers could read what the service keeps for itself. Symbolic links
 * are followed, on the way to both folders and at the names in DATA_DIR. A path that does not exist yet counts as the
 * place where it will be.
 * @throws HoldfastError `CONFIGURATION`
 */
export async function checkFileRoot({
  FILE_ROOT,
  DATA_DIR,
}: Pick<Config, 'FILE_ROOT' | 'DATA_DIR'>): Promise<void> {
  const root = await resolveRealPath(FILE_ROOT);
  const paths = await Promise.all(
    [DATA_DIR, ...[...OWN_FILES, ...OWN_FOLDERS].map((name) => join(DATA_DIR, name))].map(resolveRealPath),
  );
  const folders = await Promise.all(OWN_FOLDERS.map((name) => resolveRealPath(join(DATA_DIR, name))));
  if (!paths.some((path) => isWithin(path, root)) && !folders.some((folder) => isWithin(root, folder)))
    return;
  throw new HoldfastError(
    'CONFIGURATION',
    `FILE_ROOT (${FILE_ROOT}) would let tools read what the service keeps in DATA_DIR (${DATA_DIR}), its key and ` +
      'databases among it: choose a folder apart from it, or leave FILE_ROOT out for files/ in DATA_DIR',
  );
}

/** Whether the path is the folder or lies in it; both absolute. */
function isWithin(path: string, folder: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder === '' || !(fromFolder === '..' || fromFolder.startsWith(`..${sep}`));
}

/**
 * Resolves symbolic links in the part of the path that exists. Throws `CONFIGURATION` if the path cannot be read.
 */
async function resolveRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path) return join(await resolveRealPath(parent), basename(path));
    // The code that creates the folder reports a file that stands in its place.
    if (code === 'ENOTDIR') return path;
    throw new HoldfastError('CONFIGURATION', `${path} cannot be used: ${messageOf(error)}`);
  }
}
