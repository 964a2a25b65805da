import { JsonTextError, parseCallersJson } from '../../../../src/base/json/callers';

test.each([
  ['{"a":\n [1, 1e400]}', 'the number 1e400 at line 2, column 6 is beyond the range of numbers'],
  [
    `-1${'0'.repeat(500)}.5`,
    `the number -1${'0'.repeat(62)}… at line 1, column 1 is beyond the range of numbers`,
  ],
  ['{"a":', 'Unexpected end'],
  ['[{"__proto__":{}}]', 'the name "__proto__" is not accepted'],
  [String.raw`{"\u005f_proto__":1}`, 'the name "__proto__" is not accepted'],
  ['['.repeat(300), 'nested deeper than 256 levels'],
])('%.30s is refused', (text, problem) => {
  expect(() => parseCallersJson(text)).toThrow(problem);
  expect(() => parseCallersJson(text)).toThrow(SyntaxError);
});

test.each([
  [String.raw`{"a":[{"b":"\ud83d"}]}`, ['a', 0, 'b'], 'must have no lone surrogates'],
  [String.raw`"a\uDE00"`, [], 'must have no lone surrogates'],
  [String.raw`{"a":{"\ud83d\ud83d\ude00":1}}`, ['a'], 'must have no names with lone surrogates'],
])('%s is refused at its place', (text, path, message) => {
  const refusal = (): unknown => {
    try {
      return parseCallersJson(text);
    } catch (error) {
      return error;
    }
  };
  expect(refusal()).toEqual(new JsonTextError(path, message));
});

test.each([
  [String.raw`{"a":"\ud83d\ude00","b":"__proto__","c":"\\ud83d","d":"\u001b"}`],
  ['{"a":1e308,"b":"1e400","constructor":{"prototype":1}}'],
])('%s is read', (text) => {
  expect(parseCallersJson(text)).toEqual(JSON.parse(text));
});

test('an integer stays its digits, whatever its size', () => {
  const digits = '9'.repeat(400);
  expect(parseCallersJson(`{"a":7615917337495251231,"b":${digits}}`)).toEqual({
    a: '7615917337495251231',
    b: digits,
  });
});
