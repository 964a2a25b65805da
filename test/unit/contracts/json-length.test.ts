import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { jsonLength } from '../../../src/contracts/json-length';

/** The length of a value's JSON text; 0 if JSON has no text for it. */
const written = (value: unknown): number => (JSON.stringify(value) as string | undefined)?.length ?? 0;

test('is the length of the JSON text, whatever the value', () => {
  const text = fc.string({ unit: anyCharacter });
  const halfPairs = fc.constantFrom(
    '\ud800',
    '\udc00',
    'a\udbff',
    '\udfff\ud800',
    '\u0001\b\u007f\u2028',
    '"\\',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    text,
    fc.array(halfPairs).map((parts) => parts.join('')),
    fc.dictionary(
      text,
      fc.oneof(
        fc.jsonValue(),
        fc.integer(),
        fc.maxSafeInteger(),
        halfPairs,
        fc.constantFrom(undefined, NaN, -0, 1e21, 999, 1000, -1e15, 1e-7),
      ),
    ),
  );
  fc.assert(
    fc.property(value, (one) => {
      expect(jsonLength(one)).toBe(written(one));
    }),
    { numRuns: 2_000 },
  );
});

test('what JSON has no form for has no length, and is null in a list', () => {
  expect(jsonLength(undefined)).toBe(0);
  expect(jsonLength([undefined, () => 1, Symbol('s')])).toBe('[null,null,null]'.length);
  expect(jsonLength({ a: undefined })).toBe('{}'.length);
});

test('with a bound nothing behind it is looked at', () => {
  const looked: number[] = [];
  const items = Array.from({ length: 100 }, (_, index) => ({
    get text() {
      looked.push(index);
      return 'x'.repeat(100);
    },
  }));
  expect(jsonLength(items, 1_000)).toBe(1_001);
  expect(looked.length).toBeLessThanOrEqual(10);
  expect(jsonLength('x'.repeat(10), 12)).toBe(12);
  expect(jsonLength('x'.repeat(10), 11)).toBe(12);
});
