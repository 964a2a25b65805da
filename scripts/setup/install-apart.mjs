import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

/**
 * Installs the packages of a folder that has a lock file of its own into the cache, once for each lock file.
 *
 * @param {string} name that of the folder in the cache
 * @param {string} source the folder with package.json and package-lock.json
 * @param {{ what: string, runsScripts?: boolean, linksPrograms?: boolean, cost?: object, env?: NodeJS.ProcessEnv }} options what
 * is installed, for those who wait, whether the packages' own install scripts run, and whether node_modules/.bin has their programs
 * @returns {Promise<string>} the folder whose node_modules has the packages
 * @throws {SetupError} if npm cannot install them
 */
export async function installApart(
  name,
  source,
  { what, runsScripts = false, linksPrograms = true, cost, env = process.env },
) {
  const folder = placeOf(name, source, env);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, `installs ${what}`, async (lock) => {
    if (existsSync(folder)) return;
    const draft = `${folder}.draft`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(source, draft, { recursive: true });
    const install = async () => {
      const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
      if (!runsScripts) args.push('--ignore-scripts');
      if (!linksPrograms) args.push('--no-bin-links');
      const { code, tail } = await run('npm', args, { cwd: draft, env, onStart: (pid) => lock.include(pid) });
      if (code !== 0) throw new SetupError(`${tail}\n\nnpm ci failed (code ${code}).`);
    };
    await withProgress(`installing ${what}`, install, { cost: cost && { ...cost, folder } });
    renameSync(draft, folder);
  });
  return folder;
}

/** Finds the folder of an earlier `installApart`. @returns {string | undefined} */
export function findApart(name, source, env = process.env) {
  const folder = placeOf(name, source, env);
  return existsSync(folder) ? folder : undefined;
}

function placeOf(name, source, env) {
  const lockFile = readFileSync(join(source, 'package-lock.json'));
  const version = createHash('sha256').update(lockFile).digest('hex').slice(0, 16);
  return join(cacheFolder(env), name, version);
}
