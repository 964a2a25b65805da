import fc from 'fast-check';
import { findJsonProblem } from '../../../../src/tools/builtin/json-position';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['', 0, 1, 1],
  ['  ', 2, 1, 3],
  ['abc', 0, 1, 1],
  ['nul', 0, 1, 1],
  ['{"a":1', 6, 1, 7],
  ['{"a":1,}', 7, 1, 8],
  ['{"a" 1}', 5, 1, 6],
  ['{a:1}', 1, 1, 2],
  ["{'a':1}", 1, 1, 2],
  ['[1 2]', 3, 1, 4],
  ['[1,]', 3, 1, 4],
  ['[1}', 2, 1, 3],
  ['"abc', 4, 1, 5],
  ['"a\tb"', 2, 1, 3],
  ['"a\\x"', 2, 1, 3],
  ['"a\\u12g4"', 2, 1, 3],
  ['01', 1, 1, 2],
  ['1.', 1, 1, 2],
  ['-', 0, 1, 1],
  ['NaN', 0, 1, 1],
  ['1 1', 2, 1, 3],
  ['{\n  "a": 1,\n  "b": tru\n}', 19, 3, 8],
])('%j stops being JSON at %i', (text, offset, line, column) => {
  expect(parses(text)).toBe(false);
  expect(findJsonProblem(text)).toEqual({ offset, line, column });
});

test('agrees with JSON.parse about what is JSON', () => {
  const texts = fc.oneof(
    fc.json(),
    fc.string(),
    fc.stringMatching(/^[\][{}",:0-9eE.+\-\\utrfalsn \n]*$/),
    // JSON with one character replaced
    fc.tuple(fc.json(), fc.nat(), fc.stringMatching(/^[{}[\]",:\\x1 \n]$/)).map(([text, at, character]) => {
      const place = at % text.length;
      return text.slice(0, place) + character + text.slice(place + 1);
    }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(findJsonProblem(text) === undefined).toBe(parses(text));
    }),
    { numRuns: 500 },
  );
});

test('neither depth nor length is too much for it', () => {
  expect(findJsonProblem('['.repeat(1_000_000))?.offset).toBe(1_000_000);
  expect(findJsonProblem(`"${'x'.repeat(5_000_000)}`)?.offset).toBe(5_000_001);
  expect(findJsonProblem(`"${'\\n'.repeat(1_000_000)}\\q"`)?.offset).toBe(2_000_001);
});
