import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HoldfastError, messageOf } from '../../src/base/errors';
import { type DevServerLogger, FILES } from './options';

/** The server inside Temporal CLI 1.5.1, with which this build is tried. Folders without a marker are of this one. */
export const TRIED_SERVER = '1.29.1';

/** A program that does not print its version within this time is not the Temporal CLI, ms. */
const ANSWER_LIMIT_MS = 20_000;
const VERSION_LINE = /^temporal version \S+ \(Server (\d+\.\d+\.\d+)/m;
const VERSION = /^(\d+\.\d+)\.\d+$/;

/**
 * Reads the version of the server inside a `temporal` binary.
 *
 * @throws HoldfastError `CONFIGURATION` if the binary cannot be run or reports no such version
 */
export async function readServerVersion(cliPath: string): Promise<string> {
  const output = await readVersionText(cliPath);
  const version = VERSION_LINE.exec(output)?.[1];
  if (version !== undefined) return version;
  throw new HoldfastError(
    'CONFIGURATION',
    `${cliPath} (TEMPORAL_CLI_PATH) does not report the version of a Temporal server by --version.`,
  );
}

async function readVersionText(cliPath: string): Promise<string> {
  try {
    const limits = { timeout: ANSWER_LIMIT_MS, killSignal: 'SIGKILL' } as const;
    return (await promisify(execFile)(cliPath, ['--version'], limits)).stdout;
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    throw new HoldfastError('CONFIGURATION', `${cliPath} (TEMPORAL_CLI_PATH) cannot be run: ${reason}`);
  }
}

/**
 * Checks that a server can work on the database of a data folder, and writes nothing. Each minor version of the server
 * has its own schema, and the development server never changes the schema of an existing file.
 *
 * @param version of the server that is going to be started, as in `1.29.1`
 * @throws HoldfastError `CONFIGURATION` if a server of another minor version wrote the database
 */
export function assertServerFits(dataDir: string, version: string, cliPath: string): void {
  if (!existsSync(join(dataDir, FILES.database))) return;
  const writer = readMarker(dataDir);
  if (minorOf(writer) === minorOf(version)) return;
  throw new HoldfastError(
    'CONFIGURATION',
    `DATA_DIR (${dataDir}) was written by Temporal server ${writer}, and ${cliPath} has server ${version}, which ` +
      `cannot use its database: set TEMPORAL_CLI_PATH to a Temporal CLI with server ${minorOf(writer)}` +
      `${minorOf(writer) === minorOf(TRIED_SERVER) ? ' (such as CLI 1.5.1)' : ''}, or choose another DATA_DIR.`,
  );
}

/**
 * Records which server works on a data folder from now on. The caller writes the marker before it starts the server, so
 * that a database never lacks it.
 */
export function markServer(dataDir: string, version: string): void {
  const file = join(dataDir, FILES.version);
  if (existsSync(file) && readMarker(dataDir) === version) return;
  const draft = `${file}.new`;
  writeFileSync(draft, `${version}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Logs that a server is of another minor version than the one with which this build is tried. */
export function warnOfUntried(version: string, cliPath: string, logger: DevServerLogger): void {
  if (minorOf(version) === minorOf(TRIED_SERVER)) return;
  logger.warn(
    { server: version, cliPath },
    `this build is tried with Temporal server ${TRIED_SERVER}, and not with this one`,
  );
}

/** The server that last worked on a folder. @throws HoldfastError `CONFIGURATION` if the marker cannot be read */
function readMarker(dataDir: string): string {
  const file = join(dataDir, FILES.version);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return TRIED_SERVER;
    throw new HoldfastError('CONFIGURATION', `${file} cannot be read: ${messageOf(error)}`);
  }
  if (VERSION.test(text)) return text;
  throw new HoldfastError(
    'CONFIGURATION',
    `${file} does not hold the version of a Temporal server, such as ${TRIED_SERVER}: restore it, or write the version ` +
      'of the server that wrote the folder.',
  );
}

function minorOf(version: string): string {
  return version.split('.', 2).join('.');
}
