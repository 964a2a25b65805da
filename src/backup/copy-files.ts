import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface CopyFiles {
  readonly from: string;
  readonly to: string;
  /** A file or folder below `from`. */
  readonly path: string;
  /** Selects files by their path below `from`. Default: all. */
  readonly only?: (path: string) => boolean;
}

/**
 * Copies a file or all files of a folder. A file that is deleted meanwhile is left out.
 * @returns the paths of the copies
 */
export async function copyFiles({ from, to, path, only = () => true }: CopyFiles): Promise<string[]> {
  const copied: string[] = [];
  for (const file of await listFiles(from, path)) {
    if (!only(file)) continue;
    await mkdir(dirname(join(to, file)), { recursive: true, mode: 0o700 });
    if (await undefinedIfAbsent(copyFile(join(from, file), join(to, file)).then(() => true)))
      copied.push(file);
  }
  return copied;
}

async function listFiles(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch((error: unknown) => {
    if (isCode(error, 'ENOTDIR')) return undefined;
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  if (entries === undefined) return [path];
  const files: string[] = [];
  for (const entry of entries) {
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await listFiles(root, below)));
    else if (entry.isFile()) files.push(below);
  }
  return files;
}

async function undefinedIfAbsent<T>(action: Promise<T>): Promise<T | undefined> {
  try {
    return await action;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
