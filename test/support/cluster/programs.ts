import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../deployment';

const SCRIPT = join(PROJECT_ROOT, 'scripts', 'setup', 'cluster.mjs');

/** Paths of programs that run without containers what images of docker-compose.yml contain. */
export interface Programs {
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string;
  /** Temporal's production server. */
  readonly server: string;
  /** Its tool for SQL databases. */
  readonly sqlTool: string;
  readonly ui: string;
}

/** Why the programs cannot be set up here; undefined if they can. */
export function findMissingPrograms(): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}

/** Provides the programs, which takes minutes the first time on a machine. */
export async function setUpPrograms(): Promise<Programs> {
  await promisify(execFile)(process.execPath, [SCRIPT]);
  return readPrograms();
}

/** @throws if they have not been set up */
export function readPrograms(): Programs {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, 'dist', 'cluster-programs.json'), 'utf8')) as Programs;
}
