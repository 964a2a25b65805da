import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLUSTER_WAIT_MS, describeWithCluster } from '../support/cluster/cluster';
import { environmentOf } from '../support/cluster/compose';
import { createSchema } from '../support/cluster/engine';
import { createPostgres } from '../support/cluster/postgres';
import { type Programs, setUpPrograms } from '../support/cluster/programs';
import { freePort } from '../support/free-port';
import type { Server } from '../support/server';
import { makeTempDir, type TempDir } from '../support/temp-dir';

const run = promisify(execFile);

describeWithCluster('deploy/temporal/setup-schema.sh', () => {
  let dir: TempDir;
  let programs: Programs;
  let port: number;
  let postgres: Server;

  beforeAll(async () => {
    programs = await setUpPrograms();
    dir = makeTempDir();
    port = await freePort();
    postgres = await createPostgres(dir.path, programs.postgres, port);
    await postgres.start();
  }, CLUSTER_WAIT_MS);
  afterAll(async () => {
    await postgres.end();
    dir.remove();
  });

  const env = (): Record<string, string> =>
    environmentOf('temporal-schema', { SQL_HOST: '127.0.0.1', SQL_PORT: String(port) });
  const tool = (...args: string[]) => run(programs.sqlTool, ['--db', 'temporal', ...args], { env: env() });
  const query = async (sql: string): Promise<string> => {
    const { SQL_USER = '', SQL_PASSWORD } = env();
    const args = ['-h', '127.0.0.1', '-p', String(port), '-U', SQL_USER, '-d', 'temporal', '-Atc', sql];
    const { stdout } = await run(join(programs.postgres, 'psql'), args, {
      env: { PGPASSWORD: SQL_PASSWORD },
    });
    return stdout.trim();
  };

  test('makes the whole schema where a first run was cut off between the tables and their version', async () => {
    await tool('create');
    await tool('setup-schema', '--version', '0.0');
    await query('DELETE FROM schema_version');
    await createSchema(port, programs);
    const version = await query('SELECT curr_version FROM schema_version');
    expect(version).toMatch(/^1\.\d+$/);
    expect(await query("SELECT to_regclass('executions') IS NOT NULL")).toBe('t');

    // A second run changes nothing.
    await createSchema(port, programs);
    expect(await query('SELECT curr_version FROM schema_version')).toBe(version);
  });
});
