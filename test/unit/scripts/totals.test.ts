import { runModule } from '../../support/run-module';

const GOOD = { passed: 3, failed: 0, failures: [], skipped: [] };
const BAD = {
  passed: 1,
  failed: 1,
  failures: ['test/sum.test.ts: adds'],
  skipped: ['test/s3.test.ts: writes'],
};

/** Runs parts with these outcomes, of which a text is thrown, and returns what is printed of them. */
async function runParts(...outcomes: (object | string)[]): Promise<{ printed: string[]; isGood: boolean }> {
  const { result } = runModule(
    ['checks/totals.mjs'],
    `const printed = [];
    const parts = ${JSON.stringify(outcomes)}.map((outcome, index) => ({
      name: 'part ' + index,
      run: async () => {
        printed.push('part ' + index + ' runs');
        if (typeof outcome === 'string') throw new Error(outcome);
        return outcome;
      },
    }));
    const total = await scripts.runParts(parts, (line) => printed.push(line));
    return { printed: [...printed, ...scripts.describeTotal(total)], isGood: scripts.isGood(total) };`,
  );
  return (await result) as { printed: string[]; isGood: boolean };
}

test('one closing line counts both halves, and the second runs after a failure of the first', async () => {
  expect(await runParts(BAD, GOOD)).toEqual({
    printed: [
      'part 0 runs',
      'part 0: 1 passed, 1 failed in 0 s',
      'part 1 runs',
      'part 1: 3 passed, 0 failed in 0 s',
      'failed: test/sum.test.ts: adds',
      'skipped: test/s3.test.ts: writes',
      '4 passed, 1 failed, 1 skipped',
    ],
    isGood: false,
  });
});

test('a half that cannot be run is a failure, and the other one runs', async () => {
  expect(await runParts('jest is not there', GOOD)).toEqual({
    printed: [
      'part 0 runs',
      'part 0: 0 passed, 1 failed in 0 s',
      'part 1 runs',
      'part 1: 3 passed, 0 failed in 0 s',
      'failed: part 0: jest is not there',
      '3 passed, 1 failed',
    ],
    isGood: false,
  });
});

test.each([
  ['all have passed', GOOD, true],
  ['one has failed', BAD, false],
  ['no test ran', { ...GOOD, passed: 0 }, false],
])('a run in which %s', async (_case, outcome, isGood) => {
  expect((await runParts(outcome)).isGood).toBe(isGood);
});
