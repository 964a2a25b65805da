import fc from 'fast-check';
import { nestsDeeperThan } from '../../../../src/base/json/bounds';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('agrees with a walk through the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const depth = depthOf(value);
      const text = JSON.stringify(value);
      expect(nestsDeeperThan(text, depth)).toBe(false);
      if (depth > 0) expect(nestsDeeperThan(text, depth - 1)).toBe(true);
    }),
  );
});

test.each([
  ['brackets in strings', '["[[[[", "{{{{"]', 1],
  ['escaped quotes', '["\\"[[[", "\\\\", {"[\\\\\\"[": 1}]', 2],
  ['a backslash at the end of a string', '["\\\\", [[1]]]', 3],
  ['siblings', '[[],[],[[]],{}]', 3],
])('%s', (_name, text, depth) => {
  expect(nestsDeeperThan(text, depth)).toBe(false);
  expect(nestsDeeperThan(text, depth - 1)).toBe(true);
});

test('any depth can be told', () => {
  expect(nestsDeeperThan('['.repeat(1_000_000), 999_999)).toBe(true);
  expect(nestsDeeperThan('['.repeat(1_000_000), 1_000_000)).toBe(false);
});
