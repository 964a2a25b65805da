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

test('says how long the suites of each project took, their share, and which took longest', async () => {
  const suite = (name: string, seconds: number): object => ({
    name: `/root/${name}`,
    startTime: 1_000,
    endTime: 1_000 + seconds * 1_000,
  });
  const results = {
    testResults: [
      suite('test/unit/a.test.ts', 1),
      suite('test/tour/b.test.ts', 16),
      suite('test/unit/c.test.ts', 2),
      suite('packages/english/d.test.ts', 1),
    ],
  };
  const projects = [
    { name: 'unit', folders: ['test/unit'] },
    { name: 'english', folders: ['test/english', 'packages/english'] },
    { name: 'tour', folders: ['test/tour'] },
  ];
  const { result } = runModule(
    ['checks/suites.mjs'],
    `return [${JSON.stringify(results)}, undefined].map((results) =>
      scripts.describeTimes(results, '/root', ${JSON.stringify(projects)}));`,
  );
  expect(await result).toEqual([
    [
      'english: 1 suites, 1 s, 5 %',
      'tour: 1 suites, 16 s, 80 %, at most 400 s on two quiet cores',
      'unit: 2 suites, 3 s, 15 %',
      '16 s, 80 % test/tour/b.test.ts',
      '2 s, 10 % test/unit/c.test.ts',
      '1 s, 5 % test/unit/a.test.ts',
      '1 s, 5 % packages/english/d.test.ts',
    ],
    [],
  ]);
});
