// Finds, fetches or builds the programs that `npm run cluster` runs beside the parts of the service, and records
// their paths. With `--check` it only reports what is missing.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError, runMain } from './errors.mjs';
import { isOnPath } from './executables.mjs';
import { findServersOfCluster } from './needs.mjs';
import { ensureNeo4j, lacksNeo4j } from './neo4j.mjs';
import { PROJECT_ROOT } from './paths.mjs';
import { findPostgres } from './postgres.mjs';
import { findGoProblem, findJavaProblem } from './releases.mjs';
import { ensureTemporalServer, lacksTemporalServer } from './temporal-server.mjs';
import { writeWhole } from './write-whole.mjs';

/**
 * Provides Temporal's production server with its tools, PostgreSQL and Neo4j, or those of them that the cluster starts,
 * and writes their paths to dist/cluster-programs.json.
 *
 * @throws {SetupError} that names everything that is missing
 */
async function ensureCluster(root = PROJECT_ROOT, env = process.env) {
  const { missing, postgres } = await findPrerequisites(root, env);
  if (missing.length > 0) throw new SetupError(describeMissing(missing));
  const starts = findServersOfCluster(env);
  const engine = starts.engine ? { postgres, ...(await ensureTemporalServer(env)) } : {};
  const neo4j = starts.neo4j ? { neo4j: await ensureNeo4j(root, env) } : {};
  const programs = { ...engine, ...neo4j };
  writeWhole(join(root, 'dist', 'cluster-programs.json'), `${JSON.stringify(programs, null, 2)}\n`);
}

/** Names the programs that a person has to install; empty if none is missing. */
export async function findMissingForCluster(root = PROJECT_ROOT, env = process.env) {
  const { missing } = await findPrerequisites(root, env);
  return missing;
}

async function findPrerequisites(root, env) {
  const starts = findServersOfCluster(env);
  const needsMaven = starts.neo4j && lacksNeo4j(root, env) && !isOnPath('mvn', env);
  const missing = [
    starts.neo4j ? await findJavaProblem(env) : undefined,
    needsMaven ? 'Maven, with which Neo4j is fetched' : undefined,
    starts.engine && lacksTemporalServer(env) ? await findGoProblem(env) : undefined,
  ].filter((what) => what !== undefined);
  if (!starts.engine) return { missing, postgres: undefined };
  try {
    return { missing, postgres: await findPostgres(env) };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { missing: [...missing, error.message], postgres: undefined };
  }
}

const describeMissing = (missing) =>
  `The cluster cannot be set up here. Missing:\n${missing.map((name) => `  - ${name}`).join('\n')}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    if (!process.argv.includes('--check')) return ensureCluster();
    const missing = await findMissingForCluster();
    if (missing.length > 0) throw new SetupError(describeMissing(missing));
  });
}
