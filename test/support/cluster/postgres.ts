import { execFile } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createServer, type Server } from '../server';
import { environmentOf } from './compose';

const run = promisify(execFile);
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
/** PostgreSQL refuses to run as root. Every system has this user, which has no privileges. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/**
 * Creates the data of a PostgreSQL server, which does not run yet.
 * @param folder an empty folder, which is given to the user that runs the server
 * @param bin the folder of PostgreSQL's programs
 */
export async function createPostgres(folder: string, bin: string, port: number): Promise<Server> {
  const { POSTGRES_USER = '', POSTGRES_PASSWORD = '' } = environmentOf('postgres');
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const user = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  writeFileSync(passwordFile, POSTGRES_PASSWORD);
  const options = { cwd: folder, env: ENVIRONMENT, ...user };
  const access = [`--username=${POSTGRES_USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  await run(join(bin, 'initdb'), ['-D', data, '--encoding=UTF8', '--locale=C', ...access], options);
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    // The path of a socket may be too long.
    unix_socket_directories: '',
    // Each of the four services of Temporal's server has two pools.
    max_connections: 200,
  };
  return createServer({
    name: 'postgres',
    command: join(bin, 'postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options,
    // A connection is no proof: the server accepts and then refuses clients until it has recovered from a crash.
    isReady: async () => {
      await run(join(bin, 'pg_isready'), ['--host=127.0.0.1', `--port=${port}`], options);
      return true;
    },
    // With SIGINT the server disconnects its clients; with SIGTERM it would wait for them.
    stopSignal: 'SIGINT',
  });
}
