import fc from 'fast-check';
import { cutText, toWellFormed, toWellFormedJson } from '../../../../src/base/text/well-formed';

const LONE = /\p{Surrogate}/u;
/** Texts in which halves of pairs, escapes and backslashes meet. */
const texts = fc
  .array(fc.constantFrom('a', '\\', '\\u', '\\ud83d', '"', '\ud83d', '\ude00', '😀', 'ud8'), {
    maxLength: 10,
  })
  .map((parts) => parts.join(''));

test('lone surrogates are replaced, and nothing else', () => {
  expect(toWellFormed('a\ud83db\ude00c😀')).toBe('a\ufffdb\ufffdc😀');
  fc.assert(
    fc.property(texts, texts, (value, name) => {
      const json = toWellFormedJson(JSON.stringify({ [name]: [value] }));
      expect(JSON.parse(json)).toEqual({ [toWellFormed(name)]: [toWellFormed(value)] });
    }),
  );
});

test('a cut is as long as it may be, and does not divide a pair', () => {
  expect([cutText('ab😀', 3), cutText('ab😀', 4), cutText('ab😀', 2), cutText('😀', 0)]).toEqual([
    'ab',
    'ab😀',
    'ab',
    '',
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
      const cut = cutText(text, max);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(LONE.test(cut)).toBe(false);
    }),
  );
});
