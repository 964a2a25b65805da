import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../temporal/dev-server/process-identity';
import { identityOf } from '../../temporal/dev-server/process-identity';
import type { NotedRun } from './note-file';
import { readNote } from './note-file';

/** A note that a process left which ended without stopping its worker. */
export interface LeftNote {
  readonly path: string;
  /** Names the thread; the same for every process that reads it. */
  readonly id: string;
  /** Names the process, as `processId` does. */
  readonly process: string;
  /** What the thread was executing at that moment. */
  readonly run: NotedRun | undefined;
}

const SEPARATOR = '~';
/** A container that was replaced never comes back for its notes. Removing those of a living worker costs it its notes alone. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/**
 * Names a process of this machine. Processes of several machines or containers may share a folder; a container that is
 * started again keeps its host name.
 */
export function processId({ pid, start = '' }: ProcessIdentity): string {
  return [hostname(), pid, start.replace(/\W+/g, '-')].join(SEPARATOR);
}

/** The folder of the notes of all workers that share a DATA_DIR. */
export function noteFolder(dataDir: string): string {
  return join(dataDir, 'workflow-tasks');
}

/** Path of the note of this process's `n`th thread; makes the folder. @throws the system's error */
export function notePath(folder: string, n: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${processId(identityOf(process.pid))}${SEPARATOR}${n}`);
}

/** Notes of processes of this machine that are not running any more. */
export function leftNotes(folder: string): LeftNote[] {
  return namesIn(folder).flatMap((id) => {
    const [host, pid, start, n] = id.split(SEPARATOR);
    if (n === undefined || host !== hostname()) return [];
    const owner = [host, pid, start].join(SEPARATOR);
    const present = identityOf(Number(pid));
    if (present.start !== undefined && processId(present) === owner) return [];
    const path = join(folder, id);
    return [{ path, id, process: owner, run: readNote(path) }];
  });
}

/**
 * Removes notes that no process has written for a month, whichever machine they are of.
 *
 * @param onError gets the system's error of each that cannot be removed
 */
export function removeForgottenNotes(
  folder: string,
  onError: (error: unknown) => void,
  now = Date.now(),
): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    try {
      const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - changedAt > FORGOTTEN_AFTER_MS) removeNote(path);
    } catch (error) {
      onError(error);
    }
  }
}

export function removeNote(path: string): void {
  rmSync(path, { force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No worker has been here yet.
    return [];
  }
}
