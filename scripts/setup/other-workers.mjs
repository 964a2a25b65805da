import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain, SetupError } from './errors.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, PROJECT_ROOT } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { ensureVirtualEnv, findVirtualEnv } from './virtual-env.mjs';

const PYTHON = 'python-worker';
const GO = 'go-worker';
const sourcesIn = (root, language) => join(root, 'test', 'external', language);
const requirementsIn = (root) => join(sourcesIn(root, 'python'), 'requirements.txt');

/**
 * Provides what the workers of test/external need, which are no part of the service: Temporal's SDK for Python in a virtual environment,
 * and the worker in Go, built.
 *
 * @param {string} root
 * @throws {SetupError} if one of them cannot be made; then the other may be there
 */
export async function ensureOtherWorkers(root, env = process.env) {
  const what = "Temporal's SDK for Python";
  await ensureVirtualEnv(PYTHON, requirementsIn(root), { what, cost: { fetches: 15, keeps: 80 }, env });
  const program = goProgram(root, env);
  if (existsSync(program)) return;
  mkdirSync(dirname(program), { recursive: true });
  await withLock(`${dirname(program)}.lock`, 'builds the worker in Go', async (lock) => {
    if (existsSync(program)) return;
    const unfinished = `${program}.unfinished`;
    const { code, tail } = await withProgress(
      'building the worker in Go',
      () =>
        run('go', ['build', '-C', sourcesIn(root, 'go'), '-o', unfinished, '.'], {
          env,
          onStart: (pid) => lock.include(pid),
        }),
      { cost: { fetches: 60, minutes: 1, folder: dirname(program) } },
    );
    if (code !== 0) throw new SetupError(`The worker in Go cannot be built here: ${tail}`);
    renameSync(unfinished, program);
  });
}

/**
 * Finds what an earlier set-up made.
 *
 * @returns {{ python?: string[], go?: string[] }} the command of each worker; what is not there is absent
 */
export function findOtherWorkers(root, env = process.env) {
  const venv = findVirtualEnv(PYTHON, requirementsIn(root), env);
  const program = goProgram(root, env);
  return {
    ...(venv && { python: [join(venv, 'bin', 'python'), join(sourcesIn(root, 'python'), 'worker.py')] }),
    ...(existsSync(program) && { go: [program] }),
  };
}

/** The place of the program, which differs for other sources. */
function goProgram(root, env) {
  const folder = sourcesIn(root, 'go');
  const digest = createHash('sha256');
  for (const name of readdirSync(folder).sort()) digest.update(readFileSync(join(folder, name)));
  return join(cacheFolder(env), GO, digest.digest('hex').slice(0, 16), 'worker');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    if (!process.argv.includes('--check')) await ensureOtherWorkers(PROJECT_ROOT);
    process.stdout.write(JSON.stringify(findOtherWorkers(PROJECT_ROOT)));
  });
}
