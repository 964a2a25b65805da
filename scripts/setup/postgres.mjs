import { readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { isExecutable } from './executables.mjs';
import { run } from './run.mjs';

const PROGRAMS = ['postgres', 'initdb', 'pg_isready'];
/** Debian keeps each release apart, and none of its servers on PATH. */
const DEBIAN = '/usr/lib/postgresql';
/** The first release that Temporal's schema of today is made for. */
const MIN_MAJOR = 12;

/**
 * The folder of PostgreSQL's programs: that of the `postgres` on PATH, else the latest of Debian's.
 *
 * @returns {Promise<string>}
 * @throws {SetupError} where there is none that can be used
 */
export async function findPostgres(env = process.env) {
  const faults = [];
  for (const folder of candidates(env)) {
    const fault = await faultOf(folder);
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
    .map((folder) => realPathOf(join(folder, 'postgres')))
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

function realPathOf(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

async function faultOf(folder) {
  const missing = PROGRAMS.filter((name) => !isExecutable(join(folder, name)));
  if (missing.length > 0) return `has no ${missing.join(', ')}`;
  const { code, tail } = await run(join(folder, 'postgres'), ['--version']);
  const major = Number(/ (\d+)/.exec(tail)?.[1]);
  if (code !== 0 || !Number.isInteger(major)) return `does not run (${tail.split('\n').at(-1)})`;
  return major >= MIN_MAJOR ? undefined : `is release ${major}`;
}
