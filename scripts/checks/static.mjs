import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from '../setup/build.mjs';
import { run } from '../setup/run.mjs';
import { sourceFolders } from '../setup/sources.mjs';
import { refusedInDocuments } from './documents.mjs';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {(print: (line: string) => void) => Promise<boolean> | boolean} run prints what it finds, line by line, and
 * returns whether it has passed
 */

/**
 * The checks that run no code of the project.
 *
 * @param {string} root
 * @returns {Check[]}
 */
export function staticChecks(root) {
  const tool = (path, args) => (print) => runTool(root, path, args, print);
  // dependency-cruiser fails for a folder that does not exist.
  const folders = [...sourceFolders(root), 'packages/client/src', 'packages/console/src'].filter((folder) =>
    existsSync(join(root, folder)),
  );
  return [
    { name: 'types', run: (print) => checkBuild(root, print) },
    // The build does not compile these.
    { name: 'client types', run: tool('typescript/bin/tsc', ['--noEmit', '-p', 'packages/client']) },
    { name: 'console types', run: tool('typescript/bin/tsc', ['--noEmit', '-p', 'packages/console']) },
    { name: 'lint', run: tool('eslint/bin/eslint.js', ['--max-warnings', '0', '.']) },
    { name: 'words', run: (print) => checkDocuments(root, print) },
    { name: 'format', run: tool('prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']) },
    {
      name: 'boundaries',
      run: tool('dependency-cruiser/bin/dependency-cruise.mjs', ['--output-type', 'err', ...folders]),
    },
  ];
}

/** The build has checked the types, so this only checks that dist/ was built from the present sources. */
function checkBuild(root, print) {
  if (isBuilt(root)) return true;
  print('dist/ is not built from these sources: run `npm run build` and see its messages.');
  return false;
}

/** The linter checks the words of sources, and this those of documents. */
function checkDocuments(root, print) {
  const problems = refusedInDocuments(root);
  for (const problem of problems) print(problem);
  return problems.length === 0;
}

async function runTool(root, path, args, print) {
  const script = join(root, 'node_modules', path);
  const { code } = await run(process.execPath, [script, ...args], { cwd: root, onLine: print });
  return code === 0;
}

/**
 * Runs the checks one after another, also after a failure, and prints the outcome and time of each. What a check finds is
 * printed at its end, so that it stays together if suites print meanwhile.
 *
 * @param {Check[]} checks
 * @returns {Promise<{ passed: number, failed: number, names: string[] }>} `names` are those of the failed ones
 */
export async function runChecks(checks) {
  const outcome = { passed: 0, failed: 0, names: [] };
  for (const check of checks) {
    const startedAt = performance.now();
    const lines = [];
    const passed = await check.run((line) => lines.push(line));
    outcome[passed ? 'passed' : 'failed'] += 1;
    if (!passed) outcome.names.push(check.name);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    lines.push(`${passed ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)\n`);
    process.stdout.write(lines.join('\n'));
  }
  return outcome;
}
