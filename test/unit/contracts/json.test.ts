import { fitDetail, shorten } from '../../../src/contracts/json';

test('shorten and fitDetail keep what is short', () => {
  expect(shorten('abc', 3)).toBe('abc');
  expect(shorten('abcd', 3)).toBe('ab…');
  expect(shorten('a😀😀', 3)).toBe('a…');
  expect(fitDetail({ a: 1 })).toEqual({ a: 1 });
  expect(fitDetail('x'.repeat(20_000))).toMatch(/left out: 20002 characters/);
});
