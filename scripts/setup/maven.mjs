import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { freshScratch } from './scratch.mjs';

/**
 * Provides the libraries of a server, by Maven and its own settings.
 *
 * @param {object} server
 * @param {string} server.name of its folder in the cache, and of the property of its version
 * @param {string} server.title as a person is told
 * @param {number} server.megabytes about what is fetched
 * @param {string} server.pom the list of libraries
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the folder of the jars
 * @throws {SetupError} where Maven cannot get them
 */
export async function ensureLibraries(server, env) {
  const target = folderOf(server, env);
  // It came there whole, by a rename.
  if (existsSync(target)) return target;
  await withLock(`${target}.lock`, `gets ${server.title}`, async (lock) => {
    if (existsSync(target)) return;
    const scratch = freshScratch(dirname(target));
    try {
      await copyLibraries(server, scratch, env, (pid) => lock.include(pid));
      mkdirSync(dirname(target), { recursive: true });
      renameSync(scratch, target);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
  return target;
}

/** Whether Maven has to fetch it yet. */
export function lacksLibraries(server, env) {
  return !existsSync(folderOf(server, env));
}

function folderOf(server, env) {
  return join(cacheFolder(env), server.name, versionIn(server));
}

/** The version is written down in the list of libraries and nowhere else. */
function versionIn({ name, pom }) {
  const version = new RegExp(`<${name}\\.version>([\\w.-]+)<`).exec(readFileSync(pom, 'utf8'))?.[1];
  if (version === undefined) throw new SetupError(`${pom} names no ${name}.version`);
  return version;
}

async function copyLibraries({ title, megabytes, pom }, folder, env, onStart) {
  let fetched = 0;
  const args = ['--batch-mode', '--file', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const result = await withProgress(
    `getting ${title} with Maven (about ${megabytes} MB, once)`,
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
  throw new SetupError(`${result.tail}\n\nMaven could not get ${title}; its last lines are above.`);
}
