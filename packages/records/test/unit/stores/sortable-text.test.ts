import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/support/any-character';
import { toSortable } from '../../../stores/neo4j/sortable-text';

const text = fc.string({ unit: anyCharacter, maxLength: 8 });
const near = fc
  .array(fc.constantFrom('a', 'Ł', '\ud7fe', '\ud7ff', '\ue000', 'ﬁ', '\uffff', '🐟', '\u{10ffff}'), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const sign = Math.sign;
const byCodePoint = (a: string, b: string): number => sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
const byUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

describe('text that is sorted by', () => {
  it('has the order of code points, whether compared by code point or by UTF-16 unit', () => {
    fc.assert(
      fc.property(fc.oneof(text, near), fc.oneof(text, near), (a, b) => {
        const [x, y] = [toSortable(a), toSortable(b)];
        expect([byCodePoint(x, y), byUnit(x, y)]).toEqual([byCodePoint(a, b), byCodePoint(a, b)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is itself where it can be, as is what is no text', () => {
    expect([toSortable('Łódź'), toSortable(7), toSortable(null), toSortable(undefined)]).toEqual([
      'Łódź',
      7,
      null,
      undefined,
    ]);
  });
});
