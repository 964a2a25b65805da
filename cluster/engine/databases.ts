import { HoldfastError, messageOf } from '../../src/base/errors';
import type { Programs } from '../files/programs';
import { runProgram } from '../processes/run-program';
import { POSTGRES_USER } from './postgres';

const STEP_LIMIT_MS = 120_000;

export const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;

const SCHEMAS = [
  [DATABASES.temporal, 'postgresql/v12/temporal'],
  [DATABASES.visibility, 'postgresql/v12/visibility'],
] as const;

export interface DatabaseOptions {
  readonly programs: Pick<Programs, 'sqlTool'>;
  readonly port: number;
  readonly password: string;
}

/**
 * Creates Temporal's two databases if they are missing, and updates their schemas to the version that the server
 * needs. It may be repeated.
 *
 * @throws HoldfastError `ENGINE_UNAVAILABLE` with the reason that the tool reports
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

/**
 * Runs all steps each time, because an earlier start may have been cut off between any two. The tool skips what is
 * already done.
 */
async function ensureSchema(options: DatabaseOptions, database: string, schema: string): Promise<void> {
  const tool = (...args: string[]): Promise<string> => runTool(options, database, args);
  await tool('create-database');
  await tool('setup-schema', '--version', '0.0');
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
