import fc from 'fast-check';
import { ComparisonWork, MAX_COMPARED } from '../../../src/templates/comparison-work';
import { ConditionError } from '../../../src/templates/condition';
import { holds } from '../../../src/templates/evaluate-condition';
import { withHangLimit } from '../../support/hang-limit';

/** JSON text that does not depend on the order of properties. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** The same value with the properties of its objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  );
}

const compare = (source: string, a: unknown, b: unknown, work?: ComparisonWork): boolean =>
  holds(source, ({ root }) => (root === 'a' ? a : b), work);
const few = fc.jsonValue({ maxDepth: 2 });

describe('values are equal as their JSON is', () => {
  test('whatever they are', () => {
    const equal = { yes: 0, no: 0 };
    const pairs = fc.oneof(
      fc.tuple(few, few),
      few.map((one) => [one, reversed(structuredClone(one))] as const),
      fc.tuple(fc.constantFrom(0, -0, '', null, [], {}), fc.constantFrom(0, -0, '', null, [], {})),
    );
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const expected = canonical(a) === canonical(b);
        expect(compare('{{a}} == {{b}}', a, b)).toBe(expected);
        equal[expected ? 'yes' : 'no'] += 1;
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(equal.yes, equal.no)).toBeGreaterThan(0);
  });

  test('also where a list is searched for one', () => {
    fc.assert(
      fc.property(fc.array(few), few, (list, one) => {
        expect(compare('{{a}} contains {{b}}', list, one)).toBe(
          list.some((item) => canonical(item) === canonical(one)),
        );
        expect(compare('{{a}} contains {{b}}', [...list, one], reversed(one))).toBe(true);
      }),
    );
  });

  test('and a text contains what its own search finds', () => {
    const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), maxLength });
    fc.assert(
      fc.property(text(300), text(60), (whole, part) => {
        expect(compare('{{a}} contains {{b}}', whole, part)).toBe(whole.includes(part));
        expect(compare('{{a}} contains {{b}}', whole + part + whole, part)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the work is linear in what is compared', () => {
  const SMALL = 500;
  const object = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, n]));
  const list = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

  test.each<[string, string, (n: number) => [unknown, unknown]]>([
    [
      'a list of numbers and a large object',
      'contains',
      (n) => [Array.from({ length: n }, (_, k) => k), object(n)],
    ],
    ['a list of small objects and a large one', 'contains', (n) => [list(n, { name0: 0 }), object(n)]],
    ['a list of empty lists and a long one', 'contains', (n) => [list(n, []), list(n, 1)]],
    ['two large objects', '==', (n) => [object(n), reversed(object(n))]],
    ['two long lists', '!=', (n) => [list(n, 'x'), list(n, 'x')]],
    [
      'a text that resembles the part everywhere',
      'contains',
      (n) => ['a'.repeat(n * 2), `b${'a'.repeat(n)}`],
    ],
    ['two texts in order', '<', (n) => ['a'.repeat(n), 'a'.repeat(n)]],
  ])('%s', (_name, operator, valuesOf) => {
    const workOf = (n: number): number => {
      const work = new ComparisonWork();
      compare(`{{a}} ${operator} {{b}}`, ...valuesOf(n), work);
      return work.done;
    };
    const small = workOf(SMALL);
    expect(small).toBeGreaterThanOrEqual(SMALL);
    expect(workOf(SMALL * 10)).toBeLessThanOrEqual(small * 11);
  });
});

describe('the work is bounded', () => {
  const long = 'x'.repeat(MAX_COMPARED / 2);
  const same = Buffer.from(long).toString();

  test('for all comparisons of a condition together', () => {
    expect(compare('{{a}} == {{b}}', long, same)).toBe(true);
    expect(() => compare('{{a}} == {{b}} && {{a}} == {{b}}', long, same)).toThrow(
      new ConditionError(
        'is too long to compare: a condition compares at most 8388608 characters, a list or an object counting as 16',
      ),
    );
  });

  test('before the runtime would search', () => {
    const part = `b${'a'.repeat(MAX_COMPARED / 2)}`;
    // Work in proportion to the product of both lengths would take hours.
    expect(() =>
      withHangLimit(() => compare('{{a}} contains {{b}}', 'a'.repeat(MAX_COMPARED), part)),
    ).toThrow(ConditionError);
  });
});
