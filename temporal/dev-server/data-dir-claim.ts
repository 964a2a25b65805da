import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError, isHoldfastError, messageOf } from '../../src/base/errors';
import { FILES } from './options';
import type { ProcessIdentity } from './process-identity';
import { readIdentity, isRunning } from './process-identity';

/** A running server, as the next start has to know it. */
export interface ServerRecord extends ProcessIdentity {
  readonly port: number;
  readonly uiPort: number;
  /** The whole command line; a server with another one is replaced, not adopted. */
  readonly command: readonly string[];
}

interface Content {
  readonly owner: ProcessIdentity;
  readonly server?: ServerRecord | undefined;
}

/** The right to run the server of a data folder, held by one process at a time. */
export interface DataDirClaim {
  /** A server that runs still although the process it belonged to is gone. */
  readonly orphan: ServerRecord | undefined;
  /** Records the server at once, so that it is found again however this process ends. */
  save(server: ServerRecord | undefined): void;
  /** Gives the folder back. The record of a server that could not be ended stays, for the next start. */
  release(): void;
}

const MUTEX_WAIT_MS = 5_000;
const MUTEX_POLL_MS = 10;
/** The mutex is held for less than a millisecond; one this old is of a process that was killed just then. */
const MUTEX_STALE_MS = 2_000;

/**
 * Claims the data folder for this process. The claim of a process that is gone is taken over, with the
 * server that it left.
 *
 * @throws HoldfastError `CONFIGURATION` while another process runs on the folder, or where it cannot be written
 */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  const file = join(dataDir, FILES.record);
  try {
    mkdirSync(dataDir, { recursive: true });
    return await claim(dataDir, file);
  } catch (error) {
    if (isHoldfastError(error)) throw error;
    throw new HoldfastError('CONFIGURATION', `DATA_DIR (${dataDir}) cannot be used: ${messageOf(error)}`);
  }
}

function claim(dataDir: string, file: string): Promise<DataDirClaim> {
  return withMutex(`${file}.lock`, () => {
    const { owner, server } = parse(read(file));
    if (owner !== undefined && isRunning(owner)) throw inUse(dataDir, owner.pid);
    const orphan = server !== undefined && isRunning(server) ? server : undefined;
    const opened = open(file, orphan);
    opened.save(orphan);
    return opened;
  });
}

/** Looking at the record and writing it anew is one step, or two processes could both take it over. */
async function withMutex<T>(mutex: string, action: () => T): Promise<T> {
  const deadline = Date.now() + MUTEX_WAIT_MS;
  while (!create(mutex)) {
    if (Date.now() > deadline) {
      throw new HoldfastError(
        'CONFIGURATION',
        `Waited ${MUTEX_WAIT_MS} ms for ${mutex} to go; remove it by hand.`,
      );
    }
    if (Date.now() - changedAt(mutex) > MUTEX_STALE_MS) rmSync(mutex, { force: true });
    else await delay(MUTEX_POLL_MS);
  }
  try {
    return action();
  } finally {
    rmSync(mutex, { force: true });
  }
}

function create(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Now for a file that has just gone: the next try will tell. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function open(file: string, orphan: ServerRecord | undefined): DataDirClaim {
  const owner = readIdentity(process.pid);
  let saved = orphan;
  return {
    orphan,
    save(server) {
      saved = server;
      const draft = `${file}.new`;
      writeFileSync(draft, `${JSON.stringify({ owner, server })}\n`);
      renameSync(draft, file);
    },
    release() {
      if (saved !== undefined && isRunning(saved)) return;
      rmSync(file, { force: true });
    },
  };
}

function inUse(dataDir: string, pid: number): HoldfastError {
  return new HoldfastError(
    'CONFIGURATION',
    `DATA_DIR (${dataDir}) is in use by another holdfast, process ${pid}. ` +
      'Stop that one, or give this one its own DATA_DIR, TEMPORAL_PORT and TEMPORAL_UI_PORT.',
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A file that somebody wrote by hand, or that a full disk cut short, is as good as none. */
function parse(content: string): Partial<Content> {
  try {
    const value = JSON.parse(content) as Partial<Content> | null;
    return { owner: asProcess(value?.owner), server: asServer(value?.server) };
  } catch {
    return {};
  }
}

function asProcess(value: ProcessIdentity | undefined): ProcessIdentity | undefined {
  return Number.isInteger(value?.pid) && typeof value?.start === 'string' ? value : undefined;
}

function asServer(value: ServerRecord | undefined): ServerRecord | undefined {
  return asProcess(value) !== undefined && Array.isArray(value?.command) ? value : undefined;
}
