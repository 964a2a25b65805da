import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../src/errors';
import { FILES } from './options';
import type { ProcessIdentity } from './process-identity';
import { identityOf, isRunning } from './process-identity';

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
  release(): void;
}

const ATTEMPTS = 20;

/**
 * Claims the data folder for this process. The claim of a process that is gone is taken over, with the
 * server that it left.
 *
 * @throws HoldfastError `CONFIGURATION` while another process runs on the folder
 */
export function claimDataDir(dataDir: string): DataDirClaim {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, FILES.record);
  let orphan: ServerRecord | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(file, { owner: identityOf(process.pid), server: orphan })) return open(file, orphan);
    const text = read(file);
    if (text === undefined) continue;
    const { owner, server } = parse(text);
    if (owner !== undefined && isRunning(owner)) throw inUse(dataDir, owner.pid);
    if (removeStale(file, text)) orphan = server !== undefined && isRunning(server) ? server : undefined;
  }
  throw new HoldfastError('CONFIGURATION', `${file} changes all the time: too many processes start in DATA_DIR.`);
}

function open(file: string, orphan: ServerRecord | undefined): DataDirClaim {
  const owner = identityOf(process.pid);
  return {
    orphan,
    save(server) {
      const draft = `${file}.new`;
      writeFileSync(draft, text({ owner, server }));
      renameSync(draft, file);
    },
    release() {
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

const text = (content: Content): string => `${JSON.stringify(content)}\n`;

function create(file: string, content: Content): boolean {
  try {
    writeFileSync(file, text(content), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Of several processes that see the same stale claim, one moves it away. One that comes late and moves
 * away a newer claim sees so from its text, and puts it back.
 */
function removeStale(file: string, stale: string): boolean {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  if (read(aside) !== stale) {
    renameSync(aside, file);
    return false;
  }
  rmSync(aside);
  return true;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
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
