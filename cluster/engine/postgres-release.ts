import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../src/base/errors';
import { runProgram } from '../processes/run-program';

/** Debian installs the programs of each release in a folder of this one. */
const DEBIAN = '/usr/lib/postgresql';
const LIMIT_MS = 10_000;

/**
 * Finds the programs for the data. Only the release that created the data can use them, and a newer release may have
 * been installed since.
 *
 * @param data the folder of the data, which may not exist yet
 * @param found the folder of the programs that the set-up has found
 * @returns the folder of the programs to use
 * @throws HoldfastError `CONFIGURATION` if the programs of the data's release are not installed
 */
export async function findProgramsFor(data: string, found: string, debian = DEBIAN): Promise<string> {
  const wanted = readRelease(data);
  if (wanted === undefined) return found;
  const says = await runProgram(join(found, 'postgres'), ['--version'], { limitMs: LIMIT_MS });
  const release = / (\d+)/.exec(says)?.[1];
  if (release === wanted) return found;
  const other = join(debian, wanted, 'bin');
  if (existsSync(join(other, 'postgres'))) return other;
  throw new HoldfastError(
    'CONFIGURATION',
    `The data in ${data} are of PostgreSQL ${wanted}, and the programs in ${found} of ${release ?? says.trim()}: ` +
      `install PostgreSQL ${wanted}, or upgrade the data to the new release with pg_upgrade.`,
  );
}

function readRelease(data: string): string | undefined {
  try {
    return readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
