import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from '../setup/build.mjs';
import { sourceFolders } from '../setup/sources.mjs';
import { refusedInDocuments } from './documents.mjs';

/**
 * The checks that run no code of the project. Each has a name and a `run` that prints what it finds and
 * returns whether it has passed.
 *
 * @param {string} root
 * @returns {{ name: string, run: () => boolean }[]}
 */
export function staticChecks(root) {
  const tool = (path, args) => () => runTool(root, path, args);
  // dependency-cruiser fails for a folder that does not exist.
  const folders = sourceFolders(root).filter((folder) => existsSync(join(root, folder)));
  return [
    { name: 'types', run: () => checkBuild(root) },
    { name: 'lint', run: tool('eslint/bin/eslint.js', ['--max-warnings', '0', '.']) },
    { name: 'words', run: () => checkDocuments(root) },
    { name: 'format', run: tool('prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']) },
    {
      name: 'boundaries',
      run: tool('dependency-cruiser/bin/dependency-cruise.mjs', ['--output-type', 'err', ...folders]),
    },
  ];
}

/** The build has checked the types, so this only checks that dist/ was built from the present sources. */
function checkBuild(root) {
  if (isBuilt(root)) return true;
  process.stdout.write('dist/ is not built from these sources: run `npm run build` and see its messages.\n');
  return false;
}

/** The linter checks the words of sources, and this those of documents. */
function checkDocuments(root) {
  const problems = refusedInDocuments(root);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  return problems.length === 0;
}

function runTool(root, path, args) {
  const script = join(root, 'node_modules', path);
  return spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}

/**
 * Runs the checks one after another, also after a failure, and prints the outcome and time of each.
 *
 * @returns {{ passed: number, failed: number }}
 */
export function runChecks(checks) {
  const outcome = { passed: 0, failed: 0 };
  for (const check of checks) {
    const startedAt = performance.now();
    const passed = check.run();
    outcome[passed ? 'passed' : 'failed'] += 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)\n`);
  }
  return outcome;
}
