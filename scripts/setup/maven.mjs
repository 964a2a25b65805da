import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { makeScratchFolder } from './scratch.mjs';

/**
 * Provides the libraries of a server. Maven fetches them, with the settings that the user has made for it.
 *
 * @param {object} server
 * @param {string} server.name name of its folder in the cache, and of the property that holds its version
 * @param {string} server.title name of the server in messages
 * @param {number} server.megabytes about how much Maven fetches
 * @param {string} server.pom path of the list of libraries
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the folder of the jars
 * @throws {SetupError} if Maven cannot get them
 */
export async function ensureLibraries(server, env) {
  const target = libraryFolder(server, env);
  // The folder is complete if it exists, because a rename puts it there.
  if (existsSync(target)) return target;
  await withLock(`${target}.lock`, `gets ${server.title}`, async (lock) => {
    if (existsSync(target)) return;
    const scratch = makeScratchFolder(dirname(target));
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

function libraryFolder(server, env) {
  return join(cacheFolder(env), server.name, readVersion(server));
}

/** Reads the version from the list of libraries, the only file that states it. */
function readVersion({ name, pom }) {
  const version = new RegExp(`<${name}\\.version>([\\w.-]+)<`).exec(readFileSync(pom, 'utf8'))?.[1];
  if (version === undefined) throw new SetupError(`${pom} names no ${name}.version`);
  return version;
}

async function copyLibraries(server, folder, env, onStart) {
  const { title, megabytes, pom } = server;
  let fetched = 0;
  const args = ['--batch-mode', '--file', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const result = await withProgress(
    `getting ${title} with Maven`,
    () =>
      run('mvn', args, {
        env,
        onStart,
        onLine: (line) => {
          if (line.includes('Downloaded from ')) fetched += 1;
        },
      }),
    {
      cost: { fetches: megabytes, folder: libraryFolder(server, env), keeps: megabytes },
      detail: () => `${fetched} files fetched`,
    },
  );
  if (result.code === 0) return;
  throw new SetupError(`${result.tail}\n\nMaven could not get ${title}; its last lines are above.`);
}
