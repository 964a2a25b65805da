import { lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '../base/errors';
import { newId } from '../base/ids';
import { copyFiles } from './copy-files';
import { explainFailure } from './explain-failure';
import { describeFile, type Manifest, readManifest } from './manifest';

export interface RestoreOptions {
  /** A folder that `createBackup` created. */
  readonly source: string;
  /** A folder that is empty, as a new volume is, or does not exist. */
  readonly dataDir: string;
}

/** The folder of files until all are restored. The next restore removes what an interrupted one left. */
const DRAFT = /^\.restoring-/;
/** The folder that file systems such as ext4 have at their root, so that a new volume has it too. */
const LOST_AND_FOUND = 'lost+found';

/**
 * Copies a backup to an empty data folder and compares every file with the manifest.
 * @throws HoldfastError `CONFIGURATION` if the source is not a complete backup, a file of it has changed, or the data folder
 *   is not empty, and `STORE_UNAVAILABLE` if a file cannot be read or written; the data folder is then unchanged
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(options.source);
  try {
    await restoreFiles(manifest, options);
  } catch (error) {
    throw explainFailure(`${options.source} was not restored into ${options.dataDir}`, error);
  }
  return manifest;
}

async function restoreFiles(manifest: Manifest, { source, dataDir }: RestoreOptions): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const entries = (await readdir(dataDir)).filter((name) => name !== LOST_AND_FOUND);
  const foreign = entries.find((name) => !DRAFT.test(name));
  if (foreign !== undefined) {
    throw new HoldfastError('CONFIGURATION', `${dataDir} is not empty: ${foreign}`);
  }
  for (const left of entries) await rm(join(dataDir, left), { recursive: true, force: true });

  // The draft is inside the data folder, because that may be a mount, to which no file can be moved from outside.
  const draft = join(dataDir, `.restoring-${newId()}`);
  try {
    for (const file of manifest.files) {
      await requireOwnFile(source, file.path);
      await copyFiles({ from: source, to: draft, path: file.path });
      await compare(draft, file);
    }
    const tops = new Set(manifest.files.map(({ path }) => path.split('/')[0] ?? path));
    for (const top of tops) await rename(join(draft, top), join(dataDir, top));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A backup has no links, so one leads to a file that this account may read and that was not backed up. */
async function requireOwnFile(source: string, path: string): Promise<void> {
  const file = join(source, path);
  const entry = await lstat(file).catch(() => undefined);
  // A file that is missing is reported by the comparison.
  if (entry === undefined) return;
  if (!entry.isFile() || (await realpath(file)) !== join(await realpath(source), path))
    throw new HoldfastError(
      'CONFIGURATION',
      `${path} is not a file of the backup, but a link or something else`,
    );
}

async function compare(folder: string, expected: Manifest['files'][number]): Promise<void> {
  const description = await describeFile(folder, expected.path).catch(() => undefined);
  if (description?.sha256 === expected.sha256 && description.bytes === expected.bytes) return;
  const what = description === undefined ? 'is missing' : 'differs from the backed-up file';
  throw new HoldfastError('CONFIGURATION', `${expected.path} ${what}`);
}
