import { formatAgo, formatDuration, formatMoney } from '../../src/parts/format';

test.each([
  [0, 'now'],
  [12_400, '12 s ago'],
  [61_000, '1 min ago'],
  [7_300_000, '2 h ago'],
  [86_400_000, '1 day ago'],
  [3 * 86_400_000, '3 days ago'],
  [-90_000, 'in 1 min'],
])('%d ms ago', (ms, text) => {
  expect(formatAgo(1_000_000_000_000, 1_000_000_000_000 + ms)).toBe(text);
});

test.each([
  [0.4, '0 ms'],
  [240, '240 ms'],
  [1_234, '1.23 s'],
  [12_400, '12.4 s'],
  [200_000, '3 min 20 s'],
  [3_600_000, '1 h'],
  [90_000_000, '1 day 1 h'],
])('a duration of %d ms', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, '$0.00'],
  [0.00321, '$0.0032'],
  [0.0000004, '$0.00000040'],
  [12.345, '$12.35'],
])('%d dollars', (usd, text) => {
  expect(formatMoney(usd)).toBe(text);
});
