import { accessSync, constants, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HoldfastError } from '../../src/base/errors';

const REMEDY =
  'Run `npm run setup`, set TEMPORAL_CLI_PATH to the temporal binary, or set TEMPORAL_ADDRESS to a running server.';

/**
 * Finds the `temporal` binary: the given one, otherwise the one that `scripts/setup.mjs` has recorded in
 * `dist/temporal-cli.json`.
 *
 * @throws HoldfastError `CONFIGURATION` if no executable binary is found
 */
export function findTemporalCli(explicit?: string, root: string = findProjectRoot()): string {
  if (explicit !== undefined) {
    if (isExecutable(explicit)) return explicit;
    throw new HoldfastError('CONFIGURATION', `TEMPORAL_CLI_PATH is not an executable file: ${explicit}`);
  }
  const recorded = readRecordedPath(join(root, 'dist', 'temporal-cli.json'));
  if (recorded !== undefined && isExecutable(recorded)) return recorded;
  const what = recorded === undefined ? 'has not been set up' : `has gone from ${recorded}`;
  throw new HoldfastError('CONFIGURATION', `Temporal's development server ${what}. ${REMEDY}`);
}

function readRecordedPath(file: string): string | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as { path?: unknown } | null;
    return typeof record?.path === 'string' ? record.path : undefined;
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the root of the project from the sources and from dist/ alike. It does not look for package.json, because the
 * compiler copies that file into dist/.
 */
function findProjectRoot(): string {
  const base = resolve(__dirname, '..', '..');
  return basename(base) === 'dist' ? dirname(base) : base;
}
