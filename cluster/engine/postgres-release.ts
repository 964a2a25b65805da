import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../src/base/errors';
import { runProgram } from '../processes/run-program';

/** Debian keeps the programs of each release apart. */
const DEBIAN = '/usr/lib/postgresql';
const LIMIT_MS = 10_000;

/**
 * Data can be used by the release alone that made them, and a newer one may have been installed since.
 *
 * @param data the folder of the data; it may not be there yet
 * @param found the folder of the programs that the set-up found
 * @returns the folder of the programs to use
 * @throws HoldfastError `CONFIGURATION` where those of the data's release are not to be found
 */
export async function programsFor(data: string, found: string, debian = DEBIAN): Promise<string> {
  const wanted = releaseOf(data);
  if (wanted === undefined) return found;
  const says = await runProgram(join(found, 'postgres'), ['--version'], { limitMs: LIMIT_MS });
  const release = / (\d+)/.exec(says)?.[1];
  if (release === wanted) return found;
  const other = join(debian, wanted, 'bin');
  if (existsSync(join(other, 'postgres'))) return other;
  throw new HoldfastError(
    'CONFIGURATION',
    `The data in ${data} are of PostgreSQL ${wanted}, and the programs in ${found} of ${release ?? says.trim()}: ` +
      `install PostgreSQL ${wanted}, or bring the data to the new release by pg_upgrade.`,
  );
}

function releaseOf(data: string): string | undefined {
  try {
    return readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
