// Finds or builds the programs with which tests and benches run PostgreSQL and Temporal as docker-compose.yml does, but
// without containers, and records their paths. With `--check` it only reports what is missing.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError, runMain } from './errors.mjs';
import { PROJECT_ROOT } from './paths.mjs';
import { findPostgres } from './postgres.mjs';
import { findGoProblem } from './releases.mjs';
import { ensureTemporalServer, lacksTemporalServer } from './temporal-server.mjs';
import { writeWhole } from './write-whole.mjs';

/**
 * Provides PostgreSQL and Temporal's production server with its tools, and writes their paths to
 * dist/cluster-programs.json.
 *
 * @throws {SetupError} that names everything that is missing
 */
async function ensurePrograms(env = process.env) {
  await assertPrerequisites(env);
  const programs = { postgres: await findPostgres(env), ...(await ensureTemporalServer(env)) };
  const file = join(PROJECT_ROOT, 'dist', 'cluster-programs.json');
  writeWhole(file, `${JSON.stringify(programs, null, 2)}\n`);
}

/** Names the programs that a person has to install; empty if none is missing. */
export async function findMissing(env = process.env) {
  const missing = [
    lacksTemporalServer(env) ? await findGoProblem(env) : undefined,
    await findPostgres(env).then(
      () => undefined,
      (error) => {
        if (!(error instanceof SetupError)) throw error;
        return error.message;
      },
    ),
  ];
  return missing.filter((what) => what !== undefined);
}

async function assertPrerequisites(env) {
  const missing = await findMissing(env);
  if (missing.length === 0) return;
  const list = missing.map((name) => `  - ${name}`).join('\n');
  throw new SetupError(`Temporal's production server cannot be set up here. Missing:\n${list}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(() =>
    process.argv.includes('--check') ? assertPrerequisites(process.env) : ensurePrograms(),
  );
}
