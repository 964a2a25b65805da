import { join } from 'node:path';
import { ensureDatabases } from '../../cluster/engine/databases';
import { POSTGRES_USER, startPostgres } from '../../cluster/engine/postgres';
import { findServerUser } from '../../cluster/engine/server-user';
import { makeClusterFolder } from '../../cluster/files/folder';
import { recordLeftovers } from '../../cluster/processes/leftovers';
import { runProgram } from '../../cluster/processes/run-program';
import type { RunningPart } from '../../cluster/processes/spawn-part';
import { ENGINE_PROGRAMS, findPrograms } from '../../cluster/files/programs';
import { CLUSTER_WAIT_MS, describeWithCluster } from '../support/cluster';
import { setUpCluster } from '../support/cluster-programs';
import { freePort } from '../../cluster/processes/free-port';
import { makeTempDir, type TempDir } from '../support/temp-dir';

const LIMIT_MS = 60_000;
const password = 'a-password-of-tests';

describeWithCluster('the databases of Temporal', () => {
  let dir: TempDir;
  let programs: ReturnType<typeof findPrograms<(typeof ENGINE_PROGRAMS)[number]>>;
  let port: number;
  let postgres: RunningPart;

  beforeAll(async () => {
    await setUpCluster();
    dir = makeTempDir();
    programs = findPrograms(ENGINE_PROGRAMS);
    port = await freePort();
    const folder = makeClusterFolder({ DATA_DIR: dir.path });
    const leftovers = recordLeftovers(join(folder, 'processes.json'));
    postgres = await startPostgres({ programs, folder, port, password, user: findServerUser(), leftovers });
  }, CLUSTER_WAIT_MS);
  afterAll(async () => {
    await postgres.stop();
    dir.remove();
  });

  const at = (): string[] => ['--port', String(port), '--user', POSTGRES_USER, '--database', 'temporal'];
  const tool = (...args: string[]): Promise<string> =>
    runProgram(programs.sqlTool, ['--plugin', 'postgres12', '--endpoint', '127.0.0.1', ...at(), ...args], {
      env: { SQL_PASSWORD: password },
      limitMs: LIMIT_MS,
    });
  const query = async (sql: string): Promise<string> => {
    const target = ['-h', '127.0.0.1', '-p', String(port), '-U', POSTGRES_USER, '-d', 'temporal'];
    const env = { PGPASSWORD: password };
    const args = [...target, '-Atc', sql];
    return (await runProgram(join(programs.postgres, 'psql'), args, { env, limitMs: LIMIT_MS })).trim();
  };

  test('are set up whole where a first start was cut off between their tables and their version', async () => {
    await tool('create-database');
    await tool('setup-schema', '--version', '0.0');
    await query('DELETE FROM schema_version');
    await ensureDatabases({ programs, port, password });
    const version = await query('SELECT curr_version FROM schema_version');
    expect(version).toMatch(/^1\.\d+$/);
    expect(await query("SELECT to_regclass('executions') IS NOT NULL")).toBe('t');

    // A second start changes nothing.
    await ensureDatabases({ programs, port, password });
    expect(await query('SELECT curr_version FROM schema_version')).toBe(version);
  });
});
