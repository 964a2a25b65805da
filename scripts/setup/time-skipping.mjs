import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './errors.mjs';
import { ensureLibraries } from './maven.mjs';
import { PROJECT_ROOT } from './paths.mjs';

/**
 * Provides the libraries of Temporal's test server, which skips time.
 *
 * @returns {Promise<string>} the folder of the jars
 * @throws {SetupError} if Maven cannot get them
 */
function ensureTimeSkipping(root = PROJECT_ROOT, env = process.env) {
  const pom = join(root, 'test', 'support', 'time-skipping', 'pom.xml');
  return ensureLibraries({ name: 'time-skipping', title: "Temporal's test server", megabytes: 40, pom }, env);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    process.stdout.write(await ensureTimeSkipping());
  });
}
