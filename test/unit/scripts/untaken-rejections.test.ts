import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/fixture-project';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const FIXTURES = 'test/support/environment/fixtures';

let dir: TempDir;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => dir.remove());

interface JestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Runs a fixture as jest runs the suites of this project. */
function runFixture(name: string): Promise<JestReport> {
  const settings = `const { projects } = require(${JSON.stringify(join(ROOT, 'jest.config.js'))});
    const { displayName: _, ...unit } = projects[0];
    module.exports = { ...unit, rootDir: ${JSON.stringify(ROOT)}, roots: ['<rootDir>/${FIXTURES}'], testMatch: ['**/${name}'] };`;
  const file = join(dir.path, 'jest.config.js');
  writeFileSync(file, settings);
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  return new Promise((resolve, reject) => {
    // It exits with a code other than 0, because tests fail.
    execFile(
      process.execPath,
      [jest, '--config', file, '--json'],
      // Jest's cache lies in the temporary folder, and outlives a suite.
      { cwd: ROOT, env: { ...process.env, TMPDIR: undefined } },
      (_, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout) as JestReport);
        } catch {
          reject(new Error(stderr));
        }
      },
    );
  });
}

test('a rejected promise that no code takes fails its test, and at the end the suite', async () => {
  const { testResults } = await runFixture('untaken.fixture.ts');
  const [{ message, assertionResults }] = testResults as [JestReport['testResults'][number]];
  expect(assertionResults.map(({ title, status }) => [title, status])).toEqual([
    ['at once', 'failed'],
    ['in a later iteration', 'failed'],
    ['after an await', 'failed'],
    ['taken', 'passed'],
    ['nothing', 'passed'],
  ]);
  expect(message).toContain('Test suite failed to run');
  expect(message).toContain('rejected at the end');
  expect(message).toContain('a process died');
});
