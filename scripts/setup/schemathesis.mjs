import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

/**
 * Provides Schemathesis in a separate virtual environment, in the version that test/openapi/requirements.txt pins.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} the path of its program
 * @throws {SetupError} if Python is not installed, or pip cannot fetch Schemathesis
 */
export async function ensureSchemathesis(root, env = process.env) {
  const requirements = join(root, 'test', 'openapi', 'requirements.txt');
  const version = /==([\w.]+)/.exec(readFileSync(requirements, 'utf8'))?.[1];
  if (version === undefined) throw new SetupError(`${requirements} pins no version`);
  const folder = join(cacheFolder(env), 'schemathesis', version);
  const program = join(folder, 'bin', 'schemathesis');
  // The programs of a virtual environment contain the path of its folder, so it cannot be moved there when it is
  // complete. This marker is made last instead.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return program;
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, 'installs Schemathesis', async (lock) => {
    if (existsSync(complete)) return;
    rmSync(folder, { recursive: true, force: true });
    await withProgress(
      'installing Schemathesis with pip',
      async () => {
        const onStart = (pid) => lock.include(pid);
        await runOrThrow('python3', ['-m', 'venv', folder], onStart);
        await runOrThrow(join(folder, 'bin', 'pip'), ['install', '--quiet', '-r', requirements], onStart);
      },
      { cost: { fetches: 60, folder } },
    );
    const draft = `${complete}.draft`;
    mkdirSync(draft);
    renameSync(draft, complete);
  });
  return program;
}

async function runOrThrow(command, args, onStart) {
  const { code, tail } = await run(command, args, { onStart });
  if (code !== 0) throw new SetupError(`${tail}\n\n${command} ${args[0]} failed (code ${code}).`);
}
