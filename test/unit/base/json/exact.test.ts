import fc from 'fast-check';
import { parseExactJson } from '../../../../src/base/json/exact';

test.each([
  ['{"a":1,"b":{"a":2}}', { a: 1, b: { a: 2 } }],
  ['[{"a":1},{"a":"a"}]', [{ a: 1 }, { a: 'a' }]],
  ['{"a":"a","b":["a","a"]}', { a: 'a', b: ['a', 'a'] }],
  [String.raw`{"a":"\",\"a\":12345678901234567890"}`, { a: '","a":12345678901234567890' }],
  [
    '[1.10, 1e2, 100E-2, -0.0, 0e5, 1200, 9007199254740993e0]'.replace('9007199254740993e0', '5'),
    [1.1, 100, 1, -0, 0, 1200, 5],
  ],
  [
    '[12345678901234567000, 1e21, 0.1, 5e-324, 1.7976931348623157e308]',
    [12345678901234567000, 1e21, 0.1, 5e-324, 1.7976931348623157e308],
  ],
])('%s reads as it stands', (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

test.each([
  ['12345678901234567890', '12345678901234567000, or the text "12345678901234567890"'],
  ['{"a":[9007199254740993]}', '9007199254740992'],
  ['1e400', 'write a smaller one'],
  ['-1e400', 'write a smaller one'],
  ['1e-400', 'write 0'],
  ['0.1000000000000000055', 'write 0.1'],
  ['{"a":1,"a":2}', 'the name "a" stands twice'],
  [String.raw`{"a":1,"b":[{}],"\u0061":2}`, 'stands twice'],
  ['{"b":{"__proto__":{}}}', '"__proto__" is not accepted'],
  [String.raw`{"a":"\ud83d"}`, 'must have no lone surrogates'],
  [String.raw`{"\u005f_proto__":{}}`, '"__proto__" is not accepted'],
])('%s would read as something else', (text, problem) => {
  expect(() => parseExactJson(text)).toThrow(problem);
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

test.each([
  '',
  '{',
  '{a:1}',
  "{'a':1}",
  '[1,]',
  '01',
  'NaN',
  '{"a":1}}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
])('%.20s is no JSON that is read', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

test('every value is read back from the text that it is written as', () => {
  const value = fc
    .jsonValue({ maxDepth: 4, noUnicodeString: false })
    .filter((one) => !JSON.stringify(one).includes('__proto__'));
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 3 }), (given, indent) => {
      const text = JSON.stringify(given, undefined, indent);
      expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(given));
    }),
  );
});

test('a number is taken exactly where writing it again has the same digits', () => {
  const digits = (max: number) =>
    fc.string({ unit: fc.constantFrom('0', '1', '5', '9'), minLength: 1, maxLength: max });
  fc.assert(
    fc.property(digits(25), digits(25), fc.integer({ min: -30, max: 30 }), (whole, fraction, exponent) => {
      const text = `${whole.replace(/^0+(?=\d)/, '')}.${fraction}e${exponent}`;
      // The value as a fraction of two integers, which is exact.
      const exact = (decimal: string): bigint => {
        const [mantissa = '', power = '0'] = decimal.toLowerCase().split('e');
        const [head = '', tail = ''] = mantissa.split('.');
        return BigInt(head + tail) * 10n ** BigInt(400 + Number(power) - tail.length);
      };
      const isExact = exact(text) === exact(String(Number(text)));
      const parse = (): unknown => parseExactJson(text);
      if (isExact) expect(parse()).toBe(Number(text));
      else expect(parse).toThrow('cannot be kept');
    }),
  );
});
