import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/base/errors';
import { FILES } from './options';
import { isRunning, type ProcessIdentity, readIdentity } from './stop-process';

/** What the next start has to know of a running server. */
export interface ServerRecord extends ProcessIdentity {
  readonly port: number;
  readonly uiPort: number;
  /** The whole command line. A server with another command line is replaced and not adopted. */
  readonly command: readonly string[];
}

interface Content {
  readonly owner: ProcessIdentity;
  readonly server?: ServerRecord | undefined;
}

/** The right to run the server of a data folder, held by one process at a time. */
export interface DataDirClaim {
  /** A server that still runs although the process that started it has ended. */
  readonly orphan: ServerRecord | undefined;
  /** Records the server at once, so that the next start finds it however this process ends. */
  save(server: ServerRecord | undefined): void;
  /** Releases the folder. The record of a server that could not be ended stays for the next start. */
  release(): void;
}

const MUTEX_WAIT_MS = 5_000;
const MUTEX_POLL_MS = 10;
/**
 * A process holds the mutex for less than a millisecond. An older one belongs to a process that was killed while it
 * held it.
 */
const MUTEX_STALE_MS = 2_000;

/**
 * Claims the data folder for this process. The claim of a process that has ended is taken over, together with the
 * server that it left running.
 *
 * @throws HoldfastError `CONFIGURATION` while another process runs on the folder, or if it cannot be written
 */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  const file = join(dataDir, FILES.record);
  try {
    // Databases and logs of the server have the usual mode of files, so the folder keeps other users out.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return await takeClaim(dataDir, file);
  } catch (error) {
    if (isHoldfastError(error)) throw error;
    throw new HoldfastError('CONFIGURATION', `DATA_DIR (${dataDir}) cannot be used: ${messageOf(error)}`);
  }
}

function takeClaim(dataDir: string, file: string): Promise<DataDirClaim> {
  return withMutex(`${file}.lock`, () => {
    const { owner, server } = parseContent(readText(file));
    if (owner !== undefined && isRunning(owner)) throw toInUseError(dataDir, owner.pid);
    const orphan = server !== undefined && isRunning(server) ? server : undefined;
    const opened = createClaim(file, orphan);
    opened.save(orphan);
    return opened;
  });
}

/** Runs the action under a mutex, because two processes could otherwise both read the record and take it over. */
async function withMutex<T>(mutex: string, action: () => T): Promise<T> {
  const deadline = Date.now() + MUTEX_WAIT_MS;
  while (!createExclusively(mutex)) {
    if (Date.now() > deadline) {
      throw new HoldfastError(
        'CONFIGURATION',
        `Waited ${MUTEX_WAIT_MS} ms for ${mutex} to be removed by its owner; remove it by hand.`,
      );
    }
    if (Date.now() - readChangedAt(mutex) > MUTEX_STALE_MS) rmSync(mutex, { force: true });
    else await delay(MUTEX_POLL_MS);
  }
  try {
    return action();
  } finally {
    rmSync(mutex, { force: true });
  }
}

function createExclusively(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * When the file was changed; the present time for a file that was just removed, so that the next attempt can create
 * it.
 */
function readChangedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function createClaim(file: string, orphan: ServerRecord | undefined): DataDirClaim {
  const owner = readIdentity(process.pid);
  let saved = orphan;
  return {
    orphan,
    save(server) {
      saved = server;
      const draft = `${file}.new`;
      writeFileSync(draft, `${JSON.stringify({ owner, server })}\n`, { mode: 0o600 });
      renameSync(draft, file);
    },
    release() {
      if (saved !== undefined && isRunning(saved)) return;
      rmSync(file, { force: true });
    },
  };
}

function toInUseError(dataDir: string, pid: number): HoldfastError {
  return new HoldfastError(
    'CONFIGURATION',
    `DATA_DIR (${dataDir}) is in use by another holdfast, process ${pid}. ` +
      'Stop that one, or give this one its own DATA_DIR, TEMPORAL_PORT and TEMPORAL_UI_PORT.',
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Reads the record. Content that is not valid, because of manual edits or a full disk, counts as no record. */
function parseContent(content: string): Partial<Content> {
  try {
    const value = JSON.parse(content) as Partial<Content> | null;
    return { owner: toIdentity(value?.owner), server: toServerRecord(value?.server) };
  } catch {
    return {};
  }
}

function toIdentity(value: ProcessIdentity | undefined): ProcessIdentity | undefined {
  return Number.isInteger(value?.pid) && typeof value?.start === 'string' ? value : undefined;
}

function toServerRecord(value: ServerRecord | undefined): ServerRecord | undefined {
  return toIdentity(value) !== undefined && Array.isArray(value?.command) ? value : undefined;
}
