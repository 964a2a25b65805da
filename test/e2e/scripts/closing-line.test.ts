import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../support/fixture-project';

/** What `npm test -- <pattern>` prints last, and its exit code. */
function runTests(pattern: string): { lastLine: string | undefined; status: number | null } {
  const script = join(ROOT, 'scripts', 'test.mjs');
  // Jest's cache lies in the temporary folder, and outlives a suite.
  const env = { ...process.env, TMPDIR: undefined };
  const { stdout, status } = spawnSync(process.execPath, [script, pattern], { encoding: 'utf8', env });
  return { lastLine: stdout.trimEnd().split('\n').at(-1), status };
}

test('the last line of a good run counts what passed', () => {
  const { lastLine, status } = runTests('test/unit/temporal/dev-server/log-file');
  expect(lastLine).toMatch(/^[1-9]\d* passed, 0 failed$/);
  expect(status).toBe(0);
});

test('a run without a test is a failed one', () => {
  expect(runTests('no-test-has-this-name')).toEqual({ lastLine: '0 passed, 1 failed', status: 1 });
});
