import fc from 'fast-check';
import { parseJson, quoteInexactNumbers } from '../../../../src/base/json/parse';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['{"id":7615917337495251231}', { id: '7615917337495251231' }],
  [
    '[9007199254740991, 9007199254740992, 9007199254740993]',
    [9007199254740991, 9007199254740992, '9007199254740993'],
  ],
  ['-7615917337495251231', '-7615917337495251231'],
  ['[1e400,-1e400, 1.5E+999]', ['1e400', '-1e400', '1.5E+999']],
  [`[${'9'.repeat(400)}]`, ['9'.repeat(400)]],
  ['[1000000000000000000000]', ['1000000000000000000000']],
  ['[0.1234567890123456789, 1e23, 1e-400, -0]', [0.12345678901234568, 1e23, 0, -0]],
  [
    String.raw`{"7615917337495251231":"7615917337495251231 \" 9007199254740993"}`,
    { '7615917337495251231': '7615917337495251231 " 9007199254740993' },
  ],
  ['[1,\n 7615917337495251231\n]', [1, '7615917337495251231']],
])('%.60s', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('values that doubles hold are read as JSON.parse reads them', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 2 }), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(quoteInexactNumbers(text)).toBe(text);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('every integer keeps its digits', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })),
      fc.string(),
      (integers, beside) => {
        const text = `{${JSON.stringify(`${beside}\\`)}:[${integers.map(String).join(' ,')}]}`;
        const [list] = Object.values(parseJson(text) as Record<string, (string | number)[]>);
        expect(list?.map(String)).toEqual(integers.map(String));
      },
    ),
  );
});

test.each([
  '{12345678901234567890:1}',
  '{12345678901234567890 \n:1}',
  '[12345678901234567890 1]',
  '[012345678901234567890]',
  '[--12345678901234567890]',
  '[12345678901234567890.]',
  '[.12345678901234567890]',
  '[+1e400]',
  '[1e400e]',
  '["a"12345678901234567890]',
  '[12345678901234567890"a"]',
  '"12345678901234567890',
  nested(257),
])('%.40s is no JSON that is read', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('what is not JSON stays so, whatever numbers it has', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    ' ',
    '-',
    '1e999',
    '9007199254740993',
    '"a"',
    '.',
    'x',
  );
  const reads = (parse: () => unknown): boolean => {
    try {
      parse();
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(reads(() => parseJson(text))).toBe(reads(() => JSON.parse(text)));
    }),
    { numRuns: 5_000 },
  );
});

test('a mistake is named at its place in the text as it came', () => {
  const text = '[9007199254740993,\n x]';
  const messageOf = (parse: (json: string) => unknown): unknown => {
    try {
      return parse(text);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(messageOf(parseJson)).toBe(messageOf((json) => JSON.parse(json) as unknown));
});
