import { computeDigest } from '../../../src/base/ids';

const call = (args: Record<string, unknown>, toolName = 't') => ({ toolName, args });

test('the order of properties does not matter, at any depth', () => {
  const one = call({ a: 1, b: [{ c: 2, d: 3 }] });
  const other = call({ b: [{ d: 3, c: 2 }], a: 1 });
  expect(computeDigest([5, [one]])).toBe(computeDigest([5, [other]]));
});

test.each([
  ['the tool', [call({ a: 1 }, 'u')], 5],
  ['a value', [call({ a: 2 })], 5],
  ['a type', [call({ a: '1' })], 5],
  ['the number of calls', [call({ a: 1 }), call({ a: 1 })], 5],
  ['the limit', [call({ a: 1 })], 6],
  ['no limit', [call({ a: 1 })], undefined],
])('%s does', (_what, calls, timeoutMs) => {
  expect(computeDigest([timeoutMs ?? null, calls])).not.toBe(computeDigest([5, [call({ a: 1 })]]));
});

test('the order of calls and of lists does', () => {
  expect(computeDigest([5, [call({ a: 1 }), call({ a: 2 })]])).not.toBe(
    computeDigest([5, [call({ a: 2 }), call({ a: 1 })]]),
  );
  expect(computeDigest([5, [call({ a: [1, 2] })]])).not.toBe(computeDigest([5, [call({ a: [2, 1] })]]));
});
