import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { HoldfastError } from '../base/errors';
import { checkDatabase, copyDatabase } from '../stores/sqlite/copy-database';
import { copyFiles } from './copy-files';
import { explainFailure } from './explain-failure';
import { describeFile, type Manifest, MANIFEST } from './manifest';
import { TENANTS } from '../stores/tenants/tenant-names';

export interface BackupOptions {
  readonly dataDir: string;
  /** The folder to create. It must not exist. */
  readonly target: string;
  /** The file of the development server's database in the data folder. Absent if the engine is elsewhere. */
  readonly engineDatabase?: string | undefined;
  /** The file that says which version of the development server wrote its database. */
  readonly engineVersion?: string | undefined;
  /**
   * The files of the service's databases in the data folder; empty if they are elsewhere. Files of the same names in the
   * folders of tenants are databases too.
   */
  readonly databases: readonly string[];
}

/** The name of a stored value while it is being written. */
const DRAFT = /\.tmp$/;
/** The complete files of imports. Uploads in progress do not belong to an import yet, and drafts have an id after their name. */
const IMPORT_FILE =
  /^imports\/(tenants\/[^/]+\/)?(users\/[^/]+\/)?[^/]+\/(rows\.ndjson|(run|progress|first-look|errors-\d+)\.json)$/;

/**
 * Copies the data of a service, which may be running and writing meanwhile.
 *
 * The engine's database is copied first, and the data to which its runs refer after it. So the copy contains everything that a
 * copied history depends on. A step that is complete in the data but not in the copied history runs again, which changes nothing,
 * because every write has an id that the run chose. In the other order, a history could contain a write that the data lacks.
 *
 * @throws HoldfastError `CONFIGURATION` if the target exists or there is no data, `STORE_UNAVAILABLE` if a file cannot be
 *   read or written
 */
export async function createBackup(options: BackupOptions): Promise<Manifest> {
  const { dataDir, databases, engineDatabase, engineVersion } = options;
  const target = resolve(options.target);
  if (existsSync(target)) throw new HoldfastError('CONFIGURATION', `${target} already exists`);
  const startedAt = new Date().toISOString();
  // The backup gets its name when it is complete, so that an incomplete one never has it.
  const draft = `${target}.partial`;
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const paths: string[] = [];
    const database = async (name: string): Promise<void> => {
      if (!existsSync(join(dataDir, name))) return;
      await mkdir(dirname(join(draft, name)), { recursive: true, mode: 0o700 });
      await copyDatabase(join(dataDir, name), join(draft, name));
      checkDatabase(join(draft, name));
      paths.push(name);
    };
    const files = async (path: string, only?: (file: string) => boolean): Promise<void> => {
      paths.push(...(await copyFiles({ from: dataDir, to: draft, path, only })));
    };

    if (engineDatabase !== undefined) await database(engineDatabase);
    if (engineVersion !== undefined) await files(engineVersion);
    await files('payloads', (file) => !DRAFT.test(file));
    await files('imports', (file) => IMPORT_FILE.test(file));
    // The folders are listed after the engine was copied, so that the tenant of every copied run is among them.
    for (const folder of ['.', ...(await listTenantFolders(dataDir))])
      for (const name of databases) await database(posix.join(folder, name));
    await files('files');
    await files('secrets.key');
    if (paths.length === 0) throw new HoldfastError('CONFIGURATION', `There is no data in ${dataDir}`);

    const described = [];
    for (const path of paths) described.push(await describeFile(draft, path));
    const manifest: Manifest = {
      format: 1,
      startedAt,
      finishedAt: new Date().toISOString(),
      files: described,
    };
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
    await mkdir(dirname(target), { recursive: true });
    await rename(draft, target);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw explainFailure(`The backup ${target} was not made`, error);
  }
}

/** Lists the folders of tenants, as paths below the data folder. */
async function listTenantFolders(dataDir: string): Promise<string[]> {
  const root = join(dataDir, TENANTS);
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${TENANTS}/${name}`);
}
