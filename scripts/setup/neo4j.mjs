import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './errors.mjs';
import { ensureLibraries, lacksLibraries } from './maven.mjs';
import { PROJECT_ROOT } from './paths.mjs';

const server = (root) => ({
  name: 'neo4j',
  title: 'the Neo4j server',
  megabytes: 130,
  pom: join(root, 'cluster', 'neo4j', 'pom.xml'),
});

/**
 * Provides the libraries of the Neo4j server that the cluster and the tests start.
 *
 * @returns {Promise<string>} the folder of the jars
 * @throws {SetupError} if Maven cannot get them
 */
export function ensureNeo4j(root = PROJECT_ROOT, env = process.env) {
  return ensureLibraries(server(root), env);
}

/** Whether Maven still has to fetch the libraries. */
export function lacksNeo4j(root, env) {
  return lacksLibraries(server(root), env);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    process.stdout.write(await ensureNeo4j());
  });
}
