import * as fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { keyFromBytes, keyToBytes } from '../../../src/stores/sqlite/key-bytes';

const anyString = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: anyCharacter }),
  lettersAroundSurrogates(),
);

/** The characters whose order by code point differs from that by code unit. */
function lettersAroundSurrogates(): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom('a', '\u07ff', '\ud7ff', '\u{10000}', '\u{10FFFF}', '\ue000', '\uffff'),
  });
}

describe('keys as bytes', () => {
  it('come back as they were', () => {
    fc.assert(fc.property(anyString, (key) => keyFromBytes(keyToBytes(key)) === key));
  });

  it('sort as the keys do', () => {
    fc.assert(
      fc.property(anyString, anyString, (one, other) => {
        const expected = one < other ? -1 : Number(one > other);
        return Buffer.compare(keyToBytes(one), keyToBytes(other)) === expected;
      }),
    );
  });

  it('are readable UTF-8 for ordinary keys', () => {
    expect(keyToBytes('calculator/é').toString('utf8')).toBe('calculator/é');
  });
});
