import fc from 'fast-check';
import { parseRetryAfter } from '../../../../src/base/http/retry-after';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['2026', 2_026_000],
  ['2026-01-01', undefined],
])('%j is %p ms', (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});

test('dates in the form HTTP sends come back to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400 }), (seconds) => {
      expect(parseRetryAfter(new Date(NOW + seconds * 1_000).toUTCString(), NOW)).toBe(seconds * 1_000);
    }),
  );
});

test('whatever comes, it is a duration or nothing', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(parseRetryAfter(header, NOW) ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});
