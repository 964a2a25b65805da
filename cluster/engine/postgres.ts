import { chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError, messageOf } from '../../src/base/errors';
import type { Programs } from '../files/programs';
import type { Leftovers } from '../processes/leftovers';
import { runProgram } from '../processes/run-program';
import type { RunningPart } from '../processes/spawn-part';
import { spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';
import { programsFor } from './postgres-release';
import type { ServerUser } from './server-user';
import { makeFolderFor } from './server-user';

const INIT_LIMIT_MS = 120_000;
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const LOOK_LIMIT_MS = 5_000;

/** The only role, which owns the databases of Temporal. */
export const POSTGRES_USER = 'temporal';

export interface PostgresOptions {
  readonly programs: Pick<Programs, 'postgres'>;
  /** The cluster's own folder: data and log are in it. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  /** Whom it runs as; undefined: whoever runs this. */
  readonly user: ServerUser | undefined;
  readonly leftovers: Leftovers;
}

/**
 * PostgreSQL's own settings. It listens on loopback alone, for passwords, and on no socket in the file system, whose path
 * may be too long. Temporal's four services each hold two pools of connections.
 */
function settings(port: number): string[] {
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
 * Starts PostgreSQL on the data in the folder, which is made where there is none yet.
 *
 * @throws HoldfastError `CONFIGURATION` where the folder or the program cannot be used, and `ENGINE_UNAVAILABLE` when it
 *   does not come up
 */
export async function startPostgres(options: PostgresOptions, signal?: AbortSignal): Promise<RunningPart> {
  const { programs, folder, port, user, leftovers } = options;
  const data = await ensureData(options);
  const bin = await programsFor(data, programs.postgres);
  const part = await spawnPart({
    name: 'postgres',
    command: join(bin, 'postgres'),
    args: ['-D', data, ...settings(port)],
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    cwd: data,
    user,
    output: join(folder, 'postgres.log'),
    // It cuts off its clients and writes down what it has; its other way waits for them to go.
    stopSignal: 'SIGINT',
    stopLimitMs: STOP_LIMIT_MS,
    leftovers,
  });
  // It accepts connections before it is done with what a crash left, and refuses them until then.
  const look = (): Promise<string> =>
    runProgram(join(bin, 'pg_isready'), ['--host=127.0.0.1', `--port=${port}`, '--timeout=2'], {
      limitMs: LOOK_LIMIT_MS,
    });
  return waitForPart(part, { what: `PostgreSQL on port ${port}`, limitMs: READY_LIMIT_MS, signal, look });
}

/** What was begun and not finished lies in a folder of another name. */
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
