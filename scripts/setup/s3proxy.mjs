import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './errors.mjs';
import { ensureLibraries } from './maven.mjs';
import { PROJECT_ROOT } from './paths.mjs';

/**
 * Provides the libraries of the S3 server that the tests start.
 *
 * @returns {Promise<string>} the folder of the jars
 * @throws {SetupError} if Maven cannot get them
 */
function ensureS3proxy(root = PROJECT_ROOT, env = process.env) {
  const pom = join(root, 'test', 'support', 's3', 'pom.xml');
  return ensureLibraries({ name: 's3proxy', title: 'the S3 test server', megabytes: 54, pom }, env);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    process.stdout.write(await ensureS3proxy());
  });
}
