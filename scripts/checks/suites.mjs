import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * Gets the servers of the tests where they are not there yet, Neo4j and those of the cluster, which may take minutes, so
 * that no suite has to wait for them. Where that fails, the suites that need them say so.
 *
 * @param {string} root
 */
export function fetchServers(root) {
  for (const name of ['neo4j', 'cluster']) {
    const script = join(root, 'scripts', 'setup', `${name}.mjs`);
    spawnSync(process.execPath, [script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/**
 * Runs jest with the given arguments, its report on the terminal as usual.
 *
 * @param {string} root
 * @param {string[]} args
 * @returns {{ passed: number, failed: number, skipped: string[] }}
 */
export function runSuites(root, args) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  const file = join(folder, 'results.json');
  try {
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const { status } = spawnSync(process.execPath, [jest, '--json', '--outputFile', file, ...args], {
      cwd: root,
      // With --json jest prints its report to stderr; joined here, the closing line comes after it.
      stdio: ['inherit', 'inherit', 1],
    });
    return countResults(readResults(file), status, root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Counts what jest reports. A file that could not be run at all counts as one failed test, and so does an
 * exit code that no failed test explains: a run that broke must never look green.
 *
 * @param {object | undefined} results jest's own results; undefined when it wrote none
 * @param {number | null} status its exit code, null when it was killed
 * @param {string} root for the names of the skipped tests
 */
export function countResults(results, status, root) {
  const counted = { passed: 0, failed: 0, skipped: [] };
  for (const file of results?.testResults ?? []) {
    const failedBefore = counted.failed;
    for (const test of file.assertionResults) {
      if (test.status === 'passed') counted.passed += 1;
      else if (test.status === 'failed') counted.failed += 1;
      else counted.skipped.push(`${relative(root, file.name)}: ${test.fullName} (${test.status})`);
    }
    if (file.status === 'failed' && counted.failed === failedBefore) counted.failed += 1;
  }
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  return counted;
}
