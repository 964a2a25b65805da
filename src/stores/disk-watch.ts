import { randomBytes, randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../base/errors';
import type { Logger } from '../base/logger';

/** A disk with less room than this is full: the next commits of the databases need about that much, bytes. */
const NEEDED_BYTES = 262_144;
const LOOK_EVERY_MS = 2_000;
const FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
/** Random, because a file system that compresses stores zeros in no room at all. */
const CONTENT = randomBytes(NEEDED_BYTES);
const FILE = `.room-${randomUUID()}`;

/** Watches the room on the disk of a folder. */
export interface DiskWatch {
  /** Whether the disk was full when it was last looked at, at most some seconds ago. */
  isFull(): boolean;
  /** @throws Error that names the disk and says what to do, if it was full when it was last looked at */
  check(): Promise<void>;
  stop(): void;
}

export interface DiskWatchOptions {
  readonly folder: string;
  /** The setting that names the folder. Callers see it instead of the folder. */
  readonly setting: string;
  readonly logger: Logger;
  /** Writes to the disk and takes back what it wrote. @throws an error of the system */
  readonly probe?: (folder: string) => Promise<void>;
}

/** Looks at the disk of a folder now and every two seconds, by writing to it, since quotas and reserves are in no figure. */
export function watchDisk({ folder, setting, logger, probe = writeAndRemove }: DiskWatchOptions): DiskWatch {
  let full = false;
  let looking: Promise<boolean> | undefined;

  async function look(): Promise<boolean> {
    const isFull = await probe(folder).then(
      () => false,
      // Other failures are those of the stores in the folder, which report them.
      (error: unknown) => FULL_CODES.has(codeOf(error)),
    );
    if (isFull && !full) logger.error({ folder }, `${describe(setting)}; everything that writes there fails`);
    if (!isFull && full) logger.info({ folder }, `the disk of ${setting} has room again`);
    full = isFull;
    return full;
  }
  const lookOnce = (): Promise<boolean> => (looking ??= look().finally(() => (looking = undefined)));

  const first = lookOnce();
  const timer = setInterval(() => void lookOnce(), LOOK_EVERY_MS).unref();
  return {
    isFull: () => full,
    async check() {
      // Any caller may ask for the health of the service, so a request writes nothing to the disk.
      await first;
      if (!full) return;
      const room = await statfs(folder).catch(() => undefined);
      const left =
        room === undefined
          ? ''
          : ` (${megabytes(room.bavail * room.bsize)} of ${megabytes(room.blocks * room.bsize)} MB left)`;
      throw new Error(`${describe(setting)}${left}: make room; no restart is needed`);
    },
    stop: () => clearInterval(timer),
  };
}

function describe(setting: string): string {
  return `the disk of ${setting} is full`;
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}

/** The file has no name when it is filled, so a process that is killed leaves nothing if the system removes open files. */
async function writeAndRemove(folder: string): Promise<void> {
  const path = join(folder, FILE);
  const file = await open(path, 'w', 0o600);
  try {
    await rm(path).catch(() => undefined);
    // One call of the system may write a part, and reports no error then.
    await file.writeFile(CONTENT);
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
