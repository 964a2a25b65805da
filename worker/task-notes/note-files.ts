import { mkdirSync, readdirSync, readlinkSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
/** How often the owner of a note calls `touchNote`. */
export const TOUCH_EVERY_MS = 1_000;
/** A process whose pid says nothing here has ended when its note was not touched for this long. */
const UNTOUCHED_MS = 5_000;
/** A timer may fire a little before its time. */
const EARLY_TIMER_MS = 50;
/** A container that was replaced never comes back for its notes. Removing those of a living worker costs it its notes alone. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/**
 * Names a process of this machine. Processes of several machines or containers may share a folder, and containers may share a
 * host name. A container that is started again keeps its host name, and its pids are counted anew.
 */
export function processId({ pid, start = '' }: ProcessIdentity): string {
  return [hostname(), pidNamespace(), pid, start.replace(/\W+/g, '-')].join(SEPARATOR);
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

/** Keeps a process of another container from taking the note for one that was left. */
export function touchNote(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The thread has not made it yet, or the disk is gone.
  }
}

/**
 * Notes of processes of this host name that are not running any more. Where there are notes of another container with it, which
 * runs beside this one or was here before, this waits until those of a living process are touched again.
 */
export async function leftNotes(folder: string, untouchedMs = UNTOUCHED_MS): Promise<LeftNote[]> {
  const isDoubtful = (note: FoundNote): boolean => note.hasEnded === undefined;
  let notes = foundNotes(folder);
  const ages = notes.filter(isDoubtful).map(({ path }) => ageOf(path));
  const youngest = Math.min(...ages);
  if (youngest < untouchedMs) {
    await delay(untouchedMs - youngest + EARLY_TIMER_MS);
    notes = foundNotes(folder);
  }
  return notes
    .filter(({ hasEnded, path }) => hasEnded ?? ageOf(path) >= untouchedMs)
    .map(({ path, id, process }) => ({ path, id, process, run: readNote(path) }));
}

interface FoundNote extends Omit<LeftNote, 'run'> {
  /** Undefined for a process whose pid is of another container. */
  readonly hasEnded: boolean | undefined;
}

function foundNotes(folder: string): FoundNote[] {
  return namesIn(folder).flatMap((id): FoundNote[] => {
    const [host, namespace, pid, start, n] = id.split(SEPARATOR);
    if (n === undefined || host !== hostname()) return [];
    const owner = [host, namespace, pid, start].join(SEPARATOR);
    const note = { path: join(folder, id), id, process: owner };
    if (namespace !== pidNamespace()) return [{ ...note, hasEnded: undefined }];
    const present = identityOf(Number(pid));
    return [{ ...note, hasEnded: present.start === undefined || processId(present) !== owner }];
  });
}

/** How long ago a note was touched, ms, and never less than 0; 0 for one that is gone. */
function ageOf(path: string): number {
  const now = Date.now();
  try {
    return Math.max(0, now - statSync(path).mtimeMs);
  } catch {
    return 0;
  }
}

/** The container within which a pid means something; empty where the system has none. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D+/g, '');
  } catch {
    return '';
  }
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
