import { callTime, fitCall, wholeTime } from '../../../src/contracts/runs/call-time';

const LIMITS = { timeoutMs: 60_000, maxWaitMs: 300_000, maxAttempts: 1 };

test.each([
  [400_000, 60_000, 300_000],
  [100_000, 60_000, 40_000],
  [60_000, 60_000, 0],
  [10_000, 10_000, 0],
])('of %s ms that are left, a call has %s and its wait %s', (leftMs, timeoutMs, maxWaitMs) => {
  expect(fitCall(LIMITS, leftMs)).toEqual({ ...LIMITS, timeoutMs, maxWaitMs });
  expect(callTime(LIMITS, leftMs)).toMatchObject({ timeoutMs, maxWaitMs });
});

test('a run of an earlier build waits within the time of its step', () => {
  const { maxWaitMs: _, ...earlier } = LIMITS;
  expect(wholeTime(earlier)).toBe(60_000);
  expect(fitCall(earlier, 10_000)).toEqual({ ...earlier, timeoutMs: 10_000 });
  expect(callTime(earlier, 55_000)).toEqual({ timeoutMs: 55_000, maxWaitMs: 55_000 });
});
