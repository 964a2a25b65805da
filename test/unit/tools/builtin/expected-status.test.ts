import fc from 'fast-check';
import { isExpected, readExpected } from '../../../../src/tools/builtin/expected-status';

const accepts = (value: unknown, status: number): boolean =>
  isExpected(readExpected(value, 'args.expect'), status);
const status = fc.integer({ min: 100, max: 599 });

test('nothing expects every status', () => {
  fc.assert(fc.property(status, (one) => accepts(undefined, one)));
});

test('a status, a class, a range and a list of them accept what they say', () => {
  fc.assert(
    fc.property(status, status, status, (one, other, answered) => {
      const [first, last] = one < other ? [one, other] : [other, one];
      const isClass = Math.floor(answered / 100) === Math.floor(one / 100);
      expect(accepts(one, answered)).toBe(answered === one);
      expect(accepts(String(one), answered)).toBe(answered === one);
      expect(accepts(`${Math.floor(one / 100)}xx`, answered)).toBe(isClass);
      expect(accepts(`${first}-${last}`, answered)).toBe(answered >= first && answered <= last);
      expect(accepts([one, `${Math.floor(other / 100)}XX`], answered)).toBe(
        accepts(one, answered) || accepts(`${Math.floor(other / 100)}xx`, answered),
      );
    }),
  );
});

test('any other value is refused, and no value is read in silence', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.stringMatching(/^[0-9x -]{1,8}$/)), (value) => {
      let ranges;
      try {
        ranges = readExpected(value, 'args.expect');
      } catch (error) {
        expect(error).toMatchObject({ code: 'VALIDATION', details: { field: 'args.expect' } });
        return;
      }
      // What is accepted accepts at least one status.
      expect([...Array(500).keys()].some((n) => isExpected(ranges, n + 100))).toBe(true);
    }),
  );
});
