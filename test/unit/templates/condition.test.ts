import fc from 'fast-check';
import { parseJson } from '../../../src/base/json/parse';
import { anyCharacter } from '../../support/any-character';
import { ConditionError, conditionReferences, parseCondition } from '../../../src/templates/condition';
import { holds, type ReferenceValues } from '../../../src/templates/evaluate-condition';
import { followPath, TemplateReferenceError } from '../../../src/templates/resolve';
import { withHangLimit } from '../../support/hang-limit';

const VALUES = {
  n: 5,
  text: 'abc',
  empty: '',
  zero: 0,
  list: [1, 'a', { x: 1, y: 2 }],
  object: { y: 2, x: 1, constructor: null },
  nothing: null,
  yes: true,
};

const values: ReferenceValues = (expression) =>
  followPath(VALUES, { ...expression, path: [expression.root, ...expression.path] });
const check = (source: string): boolean => holds(source, values);

describe('a condition', () => {
  test.each([
    ['{{n}} == 5', true],
    ['{{n}} == "5"', false],
    ['{{n}} != 5', false],
    ['{{n}} < 5.5', true],
    ['{{n}} <= 5', true],
    ['{{n}} > -1e3', true],
    ['{{n}} >= 6', false],
    ['{{text}} < "abd"', true],
    ["{{text}} == 'abc'", true],
    ['{{text}} contains "b"', true],
    ['{{text}} contains 1', false],
    ['{{list}} contains "a"', true],
    ['{{list}} contains {{object}}', false],
    ['{{list[2]}} == {{object}}', false],
    ['{{object}} contains "y"', true],
    ['{{object}} contains "toString"', false],
    ['{{object}} contains 1', false],
    ['{{nothing}} contains "a"', false],
    ['{{nothing}} == null', true],
    ['{{object.y}}==2&&{{object["x"]}}==1', true],
    ['"a\\"b" == \'a"b\'', true],
    ['"{{n}}" == "5"', false],
    ['"==" == "=="', true],
    ['"" || 0 || null || false', false],
    ['{{yes}}', true],
    ['{{list}}', true],
  ])('%s is %s', (source, expected) => {
    expect(check(source)).toBe(expected);
  });

  test('binds ! before comparisons are joined, && before ||', () => {
    expect(check('true || false && false')).toBe(true);
    expect(check('(true || false) && false')).toBe(false);
    expect(check('!{{n}} == 4 && true')).toBe(true);
    expect(check('!({{n}} == 5 || false)')).toBe(false);
    expect(check('!!{{n}}')).toBe(true);
  });

  test('compares objects whatever the order of their properties, and lists by order', () => {
    const equal = (left: unknown, right: unknown): boolean =>
      holds('{{a}} == {{b}}', ({ root }) => (root === 'a' ? left : right));
    expect(equal({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 })).toBe(true);
    expect(equal([1, 2], [2, 1])).toBe(false);
    expect(equal({ a: null }, {})).toBe(false);
    expect(equal('1', 1)).toBe(false);
  });

  test('takes a part that is not there for null, and passes on every other error', () => {
    expect(check('{{missing}} == null && !{{object.deep.deeper}}')).toBe(true);
    const broken: ReferenceValues = () => {
      throw new RangeError('of its own');
    };
    expect(() => holds('{{a}}', broken)).toThrow(RangeError);
    expect(() => holds('{{a}}', () => undefined)).not.toThrow();
  });

  test('does not look at what no longer matters', () => {
    const asked: string[] = [];
    const noting: ReferenceValues = ({ root }) => {
      asked.push(root);
      return root === 'yes';
    };
    expect(holds('{{yes}} || {{b}} < 1', noting)).toBe(true);
    expect(holds('{{no}} && {{b}} < 1', noting)).toBe(false);
    expect(asked).toEqual(['yes', 'no']);
  });

  test.each([
    ['{{n}} < "a"', 'cannot compare a number with a string'],
    ['{{nothing}} > 1', 'cannot compare null with a number'],
    ['{{list}} >= 1', 'cannot compare an array with a number'],
    ['{{missing}} <= 1', 'cannot compare null with a number'],
  ])('%s has no order', (source, message) => {
    expect(() => check(source)).toThrow(new ConditionError(message));
  });

  test.each([
    ['', 'ends where a value is expected'],
    ['   ', 'ends where a value is expected'],
    ['{{n}} ==', 'ends where a value is expected'],
    ['{{n}} == 5 6', '"6" is not expected there'],
    ['{{n}} == 5 == 5', '"==" is not expected there'],
    ['&& true', '"&&" is not expected there'],
    ['(true', 'lacks a closing parenthesis'],
    ['true)', '")" is not expected there'],
    ['()', '")" is not expected there'],
    ['n == 5', '"n" is not expected there'],
    ['{{n}} = 5', 'cannot be read from "= 5" on'],
    ['{{n}} === 5', 'cannot be read from "= 5" on'],
    ['"open', 'cannot be read from ""open" on'],
    ['{{ 1 + 1 }}', '{{ 1 + 1 }} is not a reference'],
    ['{{n}} "contains" "x"', '""contains"" is not expected there'],
    ['process.exit()', 'cannot be read from ".exit()" on'],
    ['1e999 == null', '"1e999" is too large a number'],
    [`${'1'.repeat(1_001)} == null`, `"${'1'.repeat(20)}" is too large a number`],
  ])('%p cannot be read', (source, message) => {
    expect(() => parseCondition(source)).toThrow(new ConditionError(message));
  });

  test('may be nested fifty levels deep and no deeper', () => {
    const nested = (levels: number): string => `${'('.repeat(levels)}true${')'.repeat(levels)}`;
    expect(check(nested(50))).toBe(true);
    expect(() => parseCondition(nested(51))).toThrow(/nested more than 50 levels/);
    // Conditions beside one another are not nested.
    expect(check(Array.from({ length: 200 }, () => nested(50)).join('&&'))).toBe(true);
  });

  test('tells its references in order', () => {
    const condition = parseCondition('!({{a.b}} == {{c}} || "{{quoted}}" == 1) && {{d[0]}} contains {{e}}');
    expect(conditionReferences(condition).map(({ text }) => text)).toEqual([
      '{{a.b}}',
      '{{c}}',
      '{{d[0]}}',
      '{{e}}',
    ]);
  });
});

describe('numbers that a double does not hold', () => {
  const checkWith = (source: string, a: unknown, b?: unknown): boolean =>
    holds(source, ({ root }) => (root === 'a' ? a : b));

  test.each<[string, unknown, boolean]>([
    ['{{a}} == 9007199254740993', '9007199254740993', true],
    ['{{a}} == 9007199254740993', 9007199254740992, false],
    ['{{a}} != 9007199254740993', '9007199254740993', false],
    ['{{a}} == 9007199254740992', '9007199254740993', false],
    ['{{a}} == "9007199254740993"', '9007199254740993', true],
    ['{{a}} > 5', '9007199254740993', true],
    ['5.5 < {{a}}', '9007199254740993', true],
    ['{{a}} < 0', '-9007199254740993', true],
    ['{{a}} > 0', '-9007199254740993', false],
    ['{{a}} < 9007199254740995', '9007199254740993', true],
    ['{{a}} <= 9007199254740993', '9007199254740993', true],
    ['{{a}} >= 9007199254740993', 9007199254740992, false],
    ['{{a}} < 10000000000000001', '9007199254740993', true],
    ['{{a}} < -10000000000000001', '-9007199254740993', false],
    // Both are the same double, and the digits say that they are not the same number.
    ['{{a}} == 1152921504606846976', 1152921504606847000, false],
    ['{{a}} == 1e21', '1000000000000000000000', true],
    ['{{a}} > 1e23', '100000000000000000000001', true],
    ['{{a}} > 1.7e308', '1e400', true],
    ['{{a}} < 9007199254740993', '-1e400', true],
    ['{{a}} == "10e399"', '1e400', true],
    ['{{a}} contains 9007199254740993', ['9007199254740993'], true],
    ['9007199254740993', null, true],
  ])('%s where it is %j: %s', (source, a, expected) => {
    expect(checkWith(source, a)).toBe(expected);
  });

  test('every two integers compare as they are written', () => {
    const integer = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
      fc.bigInt({ min: -(10n ** 22n) - 3n, max: 3n - 10n ** 22n }),
      fc.bigInt({ min: -3n, max: 3n }),
    );
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const [left, right] = [parseJson(String(a)), parseJson(String(b))];
        for (const [source, expected] of [
          ['{{a}} == {{b}}', a === b],
          ['{{a}} != {{b}}', a !== b],
          ['{{a}} < {{b}}', a < b],
          ['{{a}} <= {{b}}', a <= b],
          ['{{a}} > {{b}}', a > b],
          ['{{a}} >= {{b}}', a >= b],
          [`{{a}} == ${b}`, a === b],
          [`${a} < ${b}`, a < b],
        ] as const)
          expect([source, checkWith(source, left, right)]).toEqual([source, expected]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['{{a}} == 5', 'x', false],
    ['{{a}} == 9007199254740993', 'x', false],
    ['{{a}} > "10000000000000001x"', '9007199254740993', true],
    ['{{a}} < "x"', '9007199254740993', true],
  ])('%s stays a comparison of texts where it is %j: %s', (source, a, expected) => {
    expect(checkWith(source, a)).toBe(expected);
  });

  test.each(['x', '0009007199254740993', '12', '9'.repeat(1_001)])('%j has no order with a number', (a) => {
    expect(() => checkWith('{{a}} > 5', a)).toThrow('cannot compare a string with a number');
  });
});

describe('whatever the text', () => {
  const pieces = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('{{a}}', '{{a.b[0]}}', '(', ')', '!', '&&', '||', '==', '<', 'contains', '"', "'", '\\'),
    fc.constantFrom('true', 'null', '-1', '1e999', ' ', '{{', '}}'),
  );
  const source = fc.array(pieces).map((array) => array.join(' '));

  test('nothing but a ConditionError is thrown', () => {
    const kinds = new Set<string>();
    const reference: ReferenceValues = (expression) => {
      if (expression.path.length > 0) throw new TemplateReferenceError(expression.text, 'it is not there');
      return 1;
    };
    fc.assert(
      fc.property(source, (text) => {
        try {
          holds(text, reference);
          kinds.add('read');
        } catch (error) {
          expect(error).toBeInstanceOf(ConditionError);
          kinds.add('refused');
        }
      }),
      { numRuns: 2_000 },
    );
    expect(kinds).toEqual(new Set(['read', 'refused']));
  });

  test.each([
    ['negations', '!'.repeat(1_000_000) + 'true'],
    ['operands', 'true&&'.repeat(200_000) + 'true'],
    ['spaces', ' '.repeat(1_000_000) + '?'],
    ['an open quote', `"${'a'.repeat(1_000_000)}`],
    ['escapes', `"${'\\a'.repeat(500_000)}`],
    ['braces', '{{'.repeat(500_000)],
    ['digits', '1'.repeat(1_000_000) + '.'],
    ['a long number', '1'.repeat(1_000_000)],
    ['a long reference', `{{a${'.b'.repeat(500_000)}}}`],
  ])('time stays in proportion to the length: %s', (_name, hostile) => {
    try {
      withHangLimit(() => holds(hostile, () => true));
    } catch (error) {
      expect(error).toBeInstanceOf(ConditionError);
    }
  });
});
