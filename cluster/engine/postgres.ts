import { chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError, messageOf } from '../../src/base/errors';
import type { Programs } from '../files/programs';
import type { Leftovers } from '../processes/leftovers';
import { runProgram } from '../processes/run-program';
import { type RunningPart, spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';
import { findProgramsFor } from './postgres-release';
import { makeFolderFor, type ServerUser } from './server-user';

const INIT_LIMIT_MS = 120_000;
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const CHECK_LIMIT_MS = 5_000;

/** The only role, which owns the databases of Temporal. */
export const POSTGRES_USER = 'temporal';

export interface PostgresOptions {
  readonly programs: Pick<Programs, 'postgres'>;
  /** The folder of the cluster, which holds data and log. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  /** The user that runs PostgreSQL; undefined for the user of this process. */
  readonly user: ServerUser | undefined;
  readonly leftovers: Leftovers;
}

/**
 * Builds PostgreSQL's settings. It listens on loopback alone and asks for passwords. It opens no socket in the file
 * system, because its path may be too long. It allows many connections, because Temporal's four services hold two
 * pools each.
 */
function buildSettings(port: number): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Starts PostgreSQL on the data in the folder, and creates the data if they do not exist yet.
 *
 * @throws HoldfastError `CONFIGURATION` if the folder or the program cannot be used, and `ENGINE_UNAVAILABLE`
 * if the server does not become ready
 */
export async function startPostgres(options: PostgresOptions, signal?: AbortSignal): Promise<RunningPart> {
  const { programs, folder, port, user, leftovers } = options;
  const data = await ensureData(options);
  const bin = await findProgramsFor(data, programs.postgres);
  const part = await spawnPart({
    name: 'postgres',
    command: join(bin, 'postgres'),
    args: ['-D', data, ...buildSettings(port)],
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    cwd: data,
    user,
    output: join(folder, 'postgres.log'),
    // With SIGINT the server disconnects its clients and shuts down in order; with SIGTERM it would wait for them.
    stopSignal: 'SIGINT',
    stopLimitMs: STOP_LIMIT_MS,
    leftovers,
  });
  // A connection is no proof: the server accepts and then refuses clients until it has recovered from a crash.
  const check = (): Promise<string> =>
    runProgram(join(bin, 'pg_isready'), ['--host=127.0.0.1', `--port=${port}`, '--timeout=2'], {
      limitMs: CHECK_LIMIT_MS,
    });
  return waitForPart(part, { what: `PostgreSQL on port ${port}`, limitMs: READY_LIMIT_MS, signal, check });
}

/** Creates the data in a folder with another name and renames it, so that an unfinished one is never used. */
async function ensureData({ programs, folder, password, user }: PostgresOptions): Promise<string> {
  const home = join(folder, 'postgres');
  const data = join(home, 'data');
  makeFolderFor(home, join(folder, '..'), user);
  if (existsSync(data)) return data;
  const draft = join(home, 'new');
  const passwordFile = join(home, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const args = ['--auth=scram-sha-256', `--username=${POSTGRES_USER}`, `--pwfile=${passwordFile}`];
  try {
    await runProgram(
      join(programs.postgres, 'initdb'),
      ['-D', draft, '--encoding=UTF8', '--locale=C', '--no-instructions', ...args],
      { cwd: home, user, limitMs: INIT_LIMIT_MS },
    );
  } catch (error) {
    throw new HoldfastError('ENGINE_UNAVAILABLE', `PostgreSQL's data could not be made: ${messageOf(error)}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, data);
  return data;
}
