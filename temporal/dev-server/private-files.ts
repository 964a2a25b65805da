import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from './options';

/**
 * Takes the rights of other accounts from the server's files that exist, which an older build may have made. SQLite gives the files
 * beside a database the rights of the database.
 */
export function makePrivate(dataDir: string): void {
  for (const name of [FILES.database, `${FILES.database}-wal`, `${FILES.database}-shm`, FILES.log]) {
    try {
      chmodSync(join(dataDir, name), 0o600);
    } catch {
      // A file that does not exist yet is made private. One of another owner, or on a mount without rights, stays as it is.
    }
  }
}

/** Runs an action whose files, and those of the processes that it starts, are for the owner alone. */
export function withPrivateFiles<T>(action: () => T): T {
  const before = process.umask(0o077);
  try {
    return action();
  } finally {
    process.umask(before);
  }
}
