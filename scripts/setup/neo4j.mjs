import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError, runMain } from './errors.mjs';
import { withLock } from './lock.mjs';
import { PROJECT_ROOT, cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { freshScratch } from './scratch.mjs';

/**
 * Provides the libraries of the Neo4j server that the cluster and the tests start, by Maven and its own settings.
 *
 * @returns {Promise<string>} the folder of the jars
 * @throws {SetupError} where Maven cannot get them
 */
export async function ensureNeo4j(root = PROJECT_ROOT, env = process.env) {
  const { pom, target } = places(root, env);
  // It came there whole, by a rename.
  if (existsSync(target)) return target;
  await withLock(`${target}.lock`, 'gets the Neo4j server', async (lock) => {
    if (existsSync(target)) return;
    const scratch = freshScratch(dirname(target));
    try {
      await copyLibraries(pom, scratch, env, (pid) => lock.include(pid));
      mkdirSync(dirname(target), { recursive: true });
      renameSync(scratch, target);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
  return target;
}

/** Whether Maven has to fetch it yet. */
export function lacksNeo4j(root, env) {
  return !existsSync(places(root, env).target);
}

function places(root, env) {
  const pom = join(root, 'cluster', 'neo4j', 'pom.xml');
  return { pom, target: join(cacheFolder(env), 'neo4j', versionIn(pom)) };
}

/** The version is written down in the list of libraries and nowhere else. */
function versionIn(pom) {
  const version = /<neo4j\.version>([\w.-]+)</.exec(readFileSync(pom, 'utf8'))?.[1];
  if (version === undefined) throw new SetupError(`${pom} names no neo4j.version`);
  return version;
}

async function copyLibraries(pom, folder, env, onStart) {
  let fetched = 0;
  const args = ['--batch-mode', '--file', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const result = await withProgress(
    'getting the Neo4j server with Maven (about 130 MB, once)',
    () =>
      run('mvn', args, {
        env,
        onStart,
        onLine: (line) => {
          if (line.includes('Downloaded from ')) fetched += 1;
        },
      }),
    () => `${fetched} files fetched`,
  );
  if (result.code === 0) return;
  throw new SetupError(`${result.tail}\n\nMaven could not get the Neo4j server; its last lines are above.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    process.stdout.write(await ensureNeo4j());
  });
}
