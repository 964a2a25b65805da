import { runModule } from '../../support/run-module';

const PASSED = { status: 'passed', fullName: 'adds' };
const FAILED = { status: 'failed', fullName: 'divides' };
const SKIPPED = { status: 'pending', fullName: 'multiplies' };
const TODO = { status: 'todo', fullName: 'subtracts' };

const file = (status: string, ...assertionResults: object[]): object => ({
  name: '/root/test/sum.test.ts',
  status,
  assertionResults,
});

const CASES: [results: object | null, status: number | null, counted: object][] = [
  [{ testResults: [file('passed', PASSED, PASSED)] }, 0, { passed: 2, failed: 0, failures: [], skipped: [] }],
  [
    { testResults: [file('failed', PASSED, FAILED)] },
    1,
    { passed: 1, failed: 1, failures: ['test/sum.test.ts: divides'], skipped: [] },
  ],
  [
    { testResults: [file('passed', PASSED, SKIPPED, TODO)] },
    0,
    {
      passed: 1,
      failed: 0,
      failures: [],
      skipped: ['test/sum.test.ts: multiplies (pending)', 'test/sum.test.ts: subtracts (todo)'],
    },
  ],
  // A file that could not be loaded has no tests, and the summary must still name it.
  [
    { testResults: [file('failed'), file('passed', PASSED)] },
    1,
    { passed: 1, failed: 1, failures: ['test/sum.test.ts: the suite itself'], skipped: [] },
  ],
  // These are an exit code that no test explains, and a jest that was killed before it wrote its report.
  [
    { testResults: [file('passed', PASSED)] },
    1,
    { passed: 1, failed: 1, failures: ['jest ended with 1'], skipped: [] },
  ],
  [null, null, { passed: 0, failed: 1, failures: ['jest ended with null'], skipped: [] }],
];

test('counts what jest reports, and never takes a broken run for a good one', async () => {
  const cases = JSON.stringify(CASES);
  const { result } = runModule(
    ['checks/suites.mjs'],
    `return ${cases}.map(([results, status]) => scripts.countResults(results ?? undefined, status, '/root'));`,
  );
  expect(await result).toEqual(CASES.map(([, , counted]) => counted));
});

test('says how long the suites of each folder took, and which took longest', async () => {
  const suite = (name: string, seconds: number): object => ({
    name: `/root/${name}`,
    startTime: 1_000,
    endTime: 1_000 + seconds * 1_000,
  });
  const results = {
    testResults: [
      suite('test/unit/a.test.ts', 1),
      suite('test/e2e/b.test.ts', 9),
      suite('test/unit/c.test.ts', 2),
    ],
  };
  const { result } = runModule(
    ['checks/suites.mjs'],
    `return [scripts.describeTimes(${JSON.stringify(results)}, '/root'), scripts.describeTimes(undefined, '/root')];`,
  );
  expect(await result).toEqual([
    [
      'test/e2e: 1 suites, 9 s',
      'test/unit: 2 suites, 3 s',
      '9 s test/e2e/b.test.ts',
      '2 s test/unit/c.test.ts',
      '1 s test/unit/a.test.ts',
    ],
    [],
  ]);
});
