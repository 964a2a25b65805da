import { join } from 'node:path';
import { HoldfastError, messageOf } from '../../src/errors';
import type { Programs } from '../programs';
import { runProgram } from '../processes/run-program';
import { POSTGRES_USER } from './postgres';

const STEP_LIMIT_MS = 120_000;

export const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;

const SCHEMAS = [
  [DATABASES.temporal, 'postgresql/v12/temporal'],
  [DATABASES.visibility, 'postgresql/v12/visibility'],
] as const;

export interface DatabaseOptions {
  readonly programs: Pick<Programs, 'postgres' | 'sqlTool'>;
  readonly port: number;
  readonly password: string;
}

/**
 * Makes Temporal's two databases where they are missing and brings their schemas to the state that the server wants. What
 * was done stays as it is.
 *
 * @throws HoldfastError `ENGINE_UNAVAILABLE` with the tool's own reason
 */
export async function ensureDatabases(options: DatabaseOptions): Promise<void> {
  try {
    for (const [database, schema] of SCHEMAS) await ensureSchema(options, database, schema);
  } catch (error) {
    throw new HoldfastError(
      'ENGINE_UNAVAILABLE',
      `The databases of Temporal could not be set up: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

async function ensureSchema(options: DatabaseOptions, database: string, schema: string): Promise<void> {
  const tool = (...args: string[]): Promise<string> => runTool(options, database, args);
  const found = await query(options, 'postgres', `SELECT 1 FROM pg_database WHERE datname = '${database}'`);
  if (found !== '1') await tool('create-database');
  const versioned = await query(options, database, "SELECT to_regclass('schema_version') IS NOT NULL");
  if (versioned !== 't') await tool('setup-schema', '--version', '0.0');
  await tool('update-schema', '--schema-name', schema);
}

function runTool(
  { programs, port, password }: DatabaseOptions,
  database: string,
  args: readonly string[],
): Promise<string> {
  const target = ['--plugin', 'postgres12', '--endpoint', '127.0.0.1', '--port', String(port)];
  return runProgram(programs.sqlTool, [...target, '--user', POSTGRES_USER, '--database', database, ...args], {
    env: { SQL_PASSWORD: password },
    limitMs: STEP_LIMIT_MS,
  });
}

async function query(
  { programs, port, password }: DatabaseOptions,
  database: string,
  sql: string,
): Promise<string> {
  const target = [
    '--host=127.0.0.1',
    `--port=${port}`,
    `--username=${POSTGRES_USER}`,
    `--dbname=${database}`,
  ];
  const args = [...target, '--no-psqlrc', '--tuples-only', '--no-align', `--command=${sql}`];
  const env = { PGPASSWORD: password };
  return (await runProgram(join(programs.postgres, 'psql'), args, { env, limitMs: STEP_LIMIT_MS })).trim();
}
