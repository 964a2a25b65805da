import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HoldfastError } from '../../src/base/errors';

/** Paths of the programs that the cluster runs beside the service. `scripts/setup/cluster.mjs` records them. */
export interface Programs {
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string;
  /** Temporal's production server. */
  readonly server: string;
  /** Its tool for SQL databases. */
  readonly sqlTool: string;
  readonly ui: string;
  /** The folder of Neo4j's libraries. */
  readonly neo4j: string;
}

export const ENGINE_PROGRAMS = ['postgres', 'server', 'sqlTool', 'ui'] as const;

/**
 * Reads the recorded paths of programs. The set-up records those that the cluster of its settings needs.
 * @throws HoldfastError `CONFIGURATION` if one of them has not been set up
 */
export function findPrograms<Name extends keyof Programs>(
  names: readonly Name[],
  root = projectRoot(),
): Pick<Programs, Name> {
  try {
    const record = JSON.parse(readFileSync(join(root, 'dist', 'cluster-programs.json'), 'utf8')) as Programs;
    if (names.every((name) => typeof record[name] === 'string')) return record;
  } catch {
    // An absent or broken record is treated as an incomplete one.
  }
  throw new HoldfastError(
    'CONFIGURATION',
    'The programs of the cluster have not been set up: run `node scripts/setup/cluster.mjs`.',
  );
}

/** The root folder of the checkout. It is found from the sources and from dist/ alike. */
export function projectRoot(): string {
  const base = resolve(__dirname, '..', '..');
  return basename(base) === 'dist' ? dirname(base) : base;
}
