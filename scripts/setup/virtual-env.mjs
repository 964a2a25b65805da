import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

/**
 * Provides a virtual environment of Python in the cache, once for each version of the package that a file of requirements pins.
 *
 * @param {string} name that of the folder in the cache
 * @param {string} requirements the path of the file
 * @param {{ what: string, cost?: object, env?: NodeJS.ProcessEnv }} options what is installed, for those who wait
 * @returns {Promise<string>} its folder
 * @throws {SetupError} if Python is not installed, or pip cannot fetch the package
 */
export async function ensureVirtualEnv(name, requirements, { what, cost, env = process.env }) {
  const folder = placeOf(name, requirements, env);
  if (isFilled(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, `installs ${what}`, async (lock) => {
    if (isFilled(folder)) return;
    await withProgress(
      `installing ${what} with pip`,
      () => fillVirtualEnv(folder, requirements, (pid) => lock.include(pid)),
      { cost: cost && { ...cost, folder } },
    );
  });
  return folder;
}

/** Finds the virtual environment of an earlier set-up. @returns {string | undefined} */
export function findVirtualEnv(name, requirements, env = process.env) {
  const folder = placeOf(name, requirements, env);
  return isFilled(folder) ? folder : undefined;
}

function placeOf(name, requirements, env) {
  return join(cacheFolder(env), name, pinnedVersion(requirements));
}

/** Reads the version of the first package that a file of requirements pins. @throws {SetupError} if it pins none */
export function pinnedVersion(requirements) {
  const version = /==([\w.]+)/.exec(readFileSync(requirements, 'utf8'))?.[1];
  if (version === undefined) throw new SetupError(`${requirements} pins no version`);
  return version;
}

/** Makes a virtual environment in the place of what the folder has. @throws {SetupError} as `ensureVirtualEnv` does */
export async function fillVirtualEnv(folder, requirements, onStart) {
  rmSync(folder, { recursive: true, force: true });
  await runOrThrow('python3', ['-m', 'venv', folder], onStart);
  const python = join(folder, 'bin', 'python');
  await runOrThrow(python, ['-m', 'pip', 'install', '--quiet', '-r', requirements], onStart);
  mkdirSync(markerOf(folder));
}

/** Whether the set-up of a virtual environment was completed. */
export function isFilled(folder) {
  return existsSync(markerOf(folder));
}

/** The programs of a virtual environment contain its path, so that it cannot be moved into place when it is complete. */
function markerOf(folder) {
  return join(folder, 'complete');
}

/** Runs a program. @throws {SetupError} with its last lines if it fails */
export async function runOrThrow(command, args, onStart) {
  const { code, tail } = await run(command, args, { onStart });
  if (code !== 0) throw new SetupError(`${tail}\n\n${command} ${args[0]} failed (code ${code}).`);
}
