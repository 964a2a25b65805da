import * as fc from 'fast-check';
import { keyFromText, keyToText } from '../../../src/stores/neo4j/key-text';

/** They include the characters whose order by code point differs from that by code unit. */
const wellFormed = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('a', '\u07ff', '\ud7ff', '\u{10000}', '\u{10FFFF}', '\ue000', '\uffff'),
  }),
);

/** Orders text as Neo4j does. */
function compareByCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

describe('keys as text', () => {
  it('come back as they were', () => {
    fc.assert(fc.property(wellFormed, (key) => keyFromText(keyToText(key)) === key));
  });

  it('sort by code point as the keys do by code unit', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (one, other) => {
        const expected = one < other ? -1 : Number(one > other);
        return compareByCodePoint(keyToText(one), keyToText(other)) === expected;
      }),
    );
  });

  it('are well-formed, so that a driver that speaks UTF-8 changes nothing', () => {
    fc.assert(fc.property(wellFormed, (key) => Buffer.from(keyToText(key)).toString() === keyToText(key)));
  });

  it('read as they are where they hold ordinary characters', () => {
    expect(keyToText('calculator/é日')).toBe('calculator/é日');
  });
});
