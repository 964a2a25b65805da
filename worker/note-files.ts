import { mkdirSync, readdirSync, readlinkSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type NotedRun, readNote } from '../temporal/sdk-patches/note-file';
import { type ProcessIdentity, readIdentity } from '../temporal/dev-server/stop-process';

/** A note that a process has left behind because it ended without stopping its worker. */
export interface AbandonedNote {
  readonly path: string;
  /** Identifies the thread. Every process that reads the note gets the same id. */
  readonly id: string;
  /** Identifies the process, in the form of `processId`. */
  readonly process: string;
  /** When the process was last known to live, epoch ms; at most about a second before its end. */
  readonly touchedAt: number;
  /** The run whose code the thread was executing when the process ended. */
  readonly run: NotedRun | undefined;
}

const SEPARATOR = '~';
/** How often the owner of a note calls `touchNote`. */
export const TOUCH_EVERY_MS = 1_000;
/**
 * If a note's pid belongs to another container, its process counts as ended once the note was not touched for this
 * long.
 */
const UNTOUCHED_MS = 5_000;
/** A timer may fire a little before its time. */
const EARLY_TIMER_MS = 50;
/**
 * A container that was replaced never removes its notes. A living worker whose note is removed by mistake loses its
 * note alone.
 */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/**
 * Identifies a process of this machine. The id names host and container too, because processes of several machines or
 * containers may share a folder, and containers may share a host name. It names the start time too, because a
 * container that is started again keeps its host name and assigns the same pids again.
 */
export function processId({ pid, start = '' }: ProcessIdentity): string {
  return [hostname(), pidNamespace(), pid, start.replace(/\W+/g, '-')].join(SEPARATOR);
}

/** The folder where all workers that share a DATA_DIR keep their notes. */
export function noteFolder(dataDir: string): string {
  return join(dataDir, 'workflow-tasks');
}

/**
 * Creates the folder, and returns the path for the note of this process's `n`th thread.
 * @throws the system's error
 */
export function prepareNotePath(folder: string, n: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${processId(readIdentity(process.pid))}${SEPARATOR}${n}`);
}

/**
 * Sets the note's modification time to now, which keeps processes of other containers from counting the note as
 * abandoned.
 */
export function touchNote(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The thread has not created the file yet, or the disk is gone.
  }
}

/**
 * Finds the notes of processes of this host name that have ended. Another container with the same host name may run
 * beside this one or may have run before it. If there are notes of one, this waits long enough for its process, if
 * it lives, to touch them again.
 */
export async function findAbandonedNotes(
  folder: string,
  untouchedMs = UNTOUCHED_MS,
): Promise<AbandonedNote[]> {
  const isDoubtful = (note: FoundNote): boolean => note.hasEnded === undefined;
  let notes = listNotes(folder);
  const ages = notes.filter(isDoubtful).map(({ path }) => readAgeMs(path));
  const youngest = Math.min(...ages);
  if (youngest < untouchedMs) {
    await delay(untouchedMs - youngest + EARLY_TIMER_MS);
    notes = listNotes(folder);
  }
  return notes
    .filter(({ hasEnded, path }) => hasEnded ?? readAgeMs(path) >= untouchedMs)
    .map(({ path, id, process }) => ({
      path,
      id,
      process,
      touchedAt: readTouchedAt(path),
      run: readNote(path),
    }));
}

interface FoundNote extends Omit<AbandonedNote, 'run' | 'touchedAt'> {
  /** Undefined if the pid belongs to another container. */
  readonly hasEnded: boolean | undefined;
}

function listNotes(folder: string): FoundNote[] {
  return namesIn(folder).flatMap((id): FoundNote[] => {
    const [host, namespace, pid, start, n] = id.split(SEPARATOR);
    if (n === undefined || host !== hostname()) return [];
    const owner = [host, namespace, pid, start].join(SEPARATOR);
    const note = { path: join(folder, id), id, process: owner };
    if (namespace !== pidNamespace()) return [{ ...note, hasEnded: undefined }];
    const present = readIdentity(Number(pid));
    return [{ ...note, hasEnded: present.start === undefined || processId(present) !== owner }];
  });
}

/** How long ago a note was touched, ms. */
function readAgeMs(path: string): number {
  return Math.max(0, Date.now() - readTouchedAt(path));
}

/** When a note was touched, epoch ms, at most now; now for a note that is gone. */
function readTouchedAt(path: string): number {
  const now = Date.now();
  try {
    return Math.min(now, statSync(path).mtimeMs);
  } catch {
    return now;
  }
}

/** The id of the container in which this process's pid is valid; empty if the system has no pid namespaces. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D+/g, '');
  } catch {
    return '';
  }
}

/**
 * Removes the notes of all machines that no process has written for a month.
 *
 * @param onError called with the system's error for each note that cannot be removed
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
    // No worker has created the folder yet.
    return [];
  }
}
