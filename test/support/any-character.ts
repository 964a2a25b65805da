import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as the unit of `fc.string`. fast-check's own unit `binary` means the same, but to see
 * whether a text consists of such characters it makes a table of all 1.1 million, which takes 0.6 s of CPU in each suite.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count),
  (value) => {
    if (typeof value !== 'string' || !/^\P{Surrogate}$/su.test(value))
      throw new Error('This is not one character.');
    const point = value.codePointAt(0)!;
    return point < SURROGATES.from ? point : point - SURROGATES.count;
  },
);
