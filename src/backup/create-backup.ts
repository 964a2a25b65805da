import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { HoldfastError } from '../base/errors';
import { checkDatabase, copyDatabase } from '../stores/sqlite/copy-database';
import { copyFiles } from './copy-files';
import type { Manifest } from './manifest';
import { describeFile, MANIFEST } from './manifest';

export interface BackupOptions {
  readonly dataDir: string;
  /** The folder that is made; there must be none. */
  readonly target: string;
  /** File of the development server's database in the data folder; absent: the engine is elsewhere. */
  readonly engineDatabase?: string | undefined;
  /** Files of our own databases in the data folder; none: they are elsewhere. */
  readonly databases: readonly string[];
}

/** A value is written under such a name before it gets its own. */
const DRAFT = /\.tmp$/;
/** Uploads that still arrive belong to no import yet, and drafts carry an id behind their name. */
const IMPORT_FILE = /^imports\/[^/]+\/(rows\.ndjson|(run|progress|first-look|errors-\d+)\.json)$/;

/**
 * Copies the data of a service that may be running, and being written to.
 *
 * The engine comes first and what its runs refer to or have written after it. So everything a copied history rests on is in
 * the copy, and a step that the copied engine does not know to be done yet is done again, which changes nothing, as every
 * write carries an id that the run chose. The other way round, a history could tell of a write that is not there.
 *
 * @throws HoldfastError `CONFIGURATION` where the target exists or there is nothing to copy
 */
export async function createBackup(options: BackupOptions): Promise<Manifest> {
  const { dataDir, databases, engineDatabase } = options;
  const target = resolve(options.target);
  if (existsSync(target)) throw new HoldfastError('CONFIGURATION', `${target} is there already`);
  const startedAt = new Date().toISOString();
  // Nobody finds half a backup under the name of a whole one.
  const draft = `${target}.partial`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const paths: string[] = [];
    const database = async (name: string): Promise<void> => {
      if (!existsSync(join(dataDir, name))) return;
      await copyDatabase(join(dataDir, name), join(draft, name));
      checkDatabase(join(draft, name));
      paths.push(name);
    };
    const files = async (path: string, only?: (file: string) => boolean): Promise<void> => {
      paths.push(...(await copyFiles({ from: dataDir, to: draft, path, only })));
    };

    if (engineDatabase !== undefined) await database(engineDatabase);
    await files('payloads', (file) => !DRAFT.test(file));
    await files('imports', (file) => IMPORT_FILE.test(file));
    for (const name of databases) await database(name);
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
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}
