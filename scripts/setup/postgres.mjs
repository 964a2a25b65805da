import { readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { isExecutable } from './executables.mjs';
import { run } from './run.mjs';

const PROGRAMS = ['postgres', 'initdb', 'pg_isready'];
/** Debian installs each release in a folder of this one, and puts no server on PATH. */
const DEBIAN = '/usr/lib/postgresql';
/** The first release that Temporal's current schema supports. */
const MIN_MAJOR = 12;

/**
 * Finds the folder of PostgreSQL's programs: that of the `postgres` on PATH, otherwise the latest that Debian has
 * installed.
 *
 * @returns {Promise<string>}
 * @throws {SetupError} if no usable release is installed
 */
export async function findPostgres(env = process.env) {
  const faults = [];
  for (const folder of candidates(env)) {
    const fault = await findFault(folder);
    if (fault === undefined) return folder;
    faults.push(`${folder} ${fault}`);
  }
  const passedOver = faults.length === 0 ? '' : ` Passed over: ${faults.join('; ')}.`;
  throw new SetupError(
    `PostgreSQL ${MIN_MAJOR} or later was not found.${passedOver} Install it (on Debian: apt-get install postgresql), ` +
      'or put its programs on PATH.',
  );
}

function candidates(env) {
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => resolveLink(join(folder, 'postgres')))
    .filter((path) => path !== undefined)
    .map(dirname);
  return [...new Set([...onPath, ...debianFolders()])];
}

function debianFolders() {
  try {
    return readdirSync(DEBIAN)
      .sort((left, right) => Number(right) - Number(left))
      .map((version) => join(DEBIAN, version, 'bin'));
  } catch {
    return [];
  }
}

function resolveLink(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Says why the programs in the folder cannot be used; undefined if they can. */
async function findFault(folder) {
  const missing = PROGRAMS.filter((name) => !isExecutable(join(folder, name)));
  if (missing.length > 0) return `has no ${missing.join(', ')}`;
  const { code, tail } = await run(join(folder, 'postgres'), ['--version']);
  const major = Number(/ (\d+)/.exec(tail)?.[1]);
  if (code !== 0 || !Number.isInteger(major)) return `does not run (${tail.split('\n').at(-1)})`;
  return major >= MIN_MAJOR ? undefined : `is release ${major}`;
}
