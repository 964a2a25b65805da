import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './errors.mjs';
import { ensureLibraries } from './maven.mjs';
import { PROJECT_ROOT } from './paths.mjs';

/**
 * Provides the libraries of the Neo4j server that the tests start.
 *
 * @returns {Promise<string>} the folder of the jars
 * @throws {SetupError} if Maven cannot get them
 */
export function ensureNeo4j(root = PROJECT_ROOT, env = process.env) {
  const pom = join(root, 'test', 'support', 'neo4j', 'pom.xml');
  return ensureLibraries({ name: 'neo4j', title: 'the Neo4j server', megabytes: 130, pom }, env);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    process.stdout.write(await ensureNeo4j());
  });
}
