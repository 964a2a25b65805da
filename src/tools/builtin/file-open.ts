import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, sep, win32 } from 'node:path';
import { toolError, type HoldfastError } from '../../base/errors';

/** Not every platform has every flag. */
const flags: Readonly<Partial<Record<string, number>>> = constants;
/** NOFOLLOW refuses a link that was put there after the check. NONBLOCK keeps a pipe without a writer from hanging. */
const OPEN_FLAGS = constants.O_RDONLY | (flags['O_NOFOLLOW'] ?? 0) | (flags['O_NONBLOCK'] ?? 0);

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'the server may not read it',
  EPERM: 'the server may not read it',
  ELOOP: 'its symbolic links lead in a circle or have just changed',
  ENAMETOOLONG: 'the name is too long',
};

/** Codes of a shortage in the server itself, which ends as soon as other files are closed. */
const TEMPORARY: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EBUSY']);

/**
 * Returns the path inside the root in normal form, with `/` between its parts. The check applies the rules of all
 * platforms, so that a call means the same on each: `C:\` and `\` lead out of the root everywhere.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED`
 */
export function checkRelativePath(path: string): string {
  if (path === '') throw refused('the path is empty');
  if (path.includes('\0')) throw refused('the path contains a NUL character');
  if (posix.isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path)) {
    throw refused('the path must be relative to the file folder');
  }
  if (path.split(/[/\\]/).includes('..')) throw refused('the path must not contain ".."');
  return posix.normalize(path);
}

/**
 * Opens a regular file inside `root`. Symbolic links are followed while they stay inside. The path is resolved again
 * after opening and must lead to the very file that is open, so that an attacker gains nothing by swapping a folder for
 * a link between check and opening.
 * @param path as `checkRelativePath` returns it
 * @throws HoldfastError `TOOL_EXECUTION_FAILED`; its text names `path` and never a folder of the server
 */
export async function openInside(root: string, path: string): Promise<{ handle: FileHandle; stats: Stats }> {
  const realRoot = await realpath(root).catch((cause: unknown) => {
    throw toolError('The file folder that the server is set to read from does not exist or cannot be read', {
      cause,
    });
  });
  try {
    const target = await resolveInside(realRoot, path);
    // Opening a device can have an effect, so the file is checked before too; the check of the open file decides.
    checkRegular(await lstat(target), path);
    const handle = await open(target, OPEN_FLAGS);
    try {
      const stats = await handle.stat();
      checkRegular(stats, path);
      const now = await lstat(await resolveInside(realRoot, path));
      if (now.dev !== stats.dev || now.ino !== stats.ino)
        throw refused(`${path} changed while it was opened`);
      return { handle, stats };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw fileFailure(path, error);
  }
}

/**
 * Converts what the file system threw about `path` to an error for callers; errors that are one already pass through.
 */
export function fileFailure(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (TEMPORARY.has(code))
    return toolError(`Cannot read ${path} at the moment`, { retryable: true, cause: error });
  // System errors carry an errno; their messages would reveal folders of the server.
  if (typeof (error as NodeJS.ErrnoException | undefined)?.errno !== 'number') return error;
  return toolError(`Cannot read ${path}: ${PROBLEMS[code] ?? code}`, { cause: error });
}

async function resolveInside(realRoot: string, path: string): Promise<string> {
  const target = await realpath(join(realRoot, path));
  const fromRoot = relative(realRoot, target);
  if (fromRoot === '..' || fromRoot.startsWith(`..${sep}`) || isAbsolute(fromRoot)) {
    throw refused(`${path} leads out of the file folder`);
  }
  return target;
}

function checkRegular(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  throw toolError(`Cannot read ${path}: it is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}`);
}

function refused(reason: string): HoldfastError {
  return toolError(`File access refused: ${reason}`);
}
