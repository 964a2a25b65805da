import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '../base/errors';
import { newId } from '../base/ids';
import { copyFiles } from './copy-files';
import type { Manifest } from './manifest';
import { describeFile, readManifest } from './manifest';

export interface RestoreOptions {
  /** The folder that `createBackup` made. */
  readonly source: string;
  /** Has to be empty, or not there. */
  readonly dataDir: string;
}

/** Where files are until all of them are there; what an interrupted restoring left is removed by the next. */
const DRAFT = /^\.restoring-/;

/**
 * Puts a backup into an empty data folder, every file compared with what was backed up.
 * @throws HoldfastError `CONFIGURATION` where the source is no whole backup, a file of it has changed, or the data folder
 *   is not empty; then the data folder is as it was
 */
export async function restoreBackup({ source, dataDir }: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(source);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const there = await readdir(dataDir);
  const inTheWay = there.find((name) => !DRAFT.test(name));
  if (inTheWay !== undefined) {
    throw new HoldfastError('CONFIGURATION', `${dataDir} is not empty: ${inTheWay}`);
  }
  for (const left of there) await rm(join(dataDir, left), { recursive: true, force: true });

  // Inside of the folder: it may be a mount, to which nothing can be moved from outside.
  const draft = join(dataDir, `.restoring-${newId()}`);
  try {
    for (const file of manifest.files) {
      await copyFiles({ from: source, to: draft, path: file.path });
      await compare(draft, file);
    }
    const tops = new Set(manifest.files.map(({ path }) => path.split('/')[0] ?? path));
    for (const top of tops) await rename(join(draft, top), join(dataDir, top));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return manifest;
}

async function compare(folder: string, expected: Manifest['files'][number]): Promise<void> {
  const found = await describeFile(folder, expected.path).catch(() => undefined);
  if (found?.sha256 === expected.sha256 && found.bytes === expected.bytes) return;
  const what = found === undefined ? 'is missing' : 'is not what was backed up';
  throw new HoldfastError('CONFIGURATION', `${expected.path} ${what}`);
}
