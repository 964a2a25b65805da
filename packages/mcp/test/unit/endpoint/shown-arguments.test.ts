import fc from 'fast-check';
import { showArguments } from '../../../endpoint/approval-input';

test('short arguments are shown whole', () => {
  expect(showArguments({ amount: 5 })).toBe('{\n  "amount": 5\n}');
});

test('a long argument hides no other one', () => {
  const shown = showArguments({ text: 'a'.repeat(2_500), command: 'rm -rf /' });
  expect(shown).toContain('"command": "rm -rf /"');
  expect(shown).toMatch(/^"text": "a+ \(2302 more characters are not shown\)/);
});

test('arguments are never left out in silence, and the text stays readable', () => {
  const args = fc.dictionary(fc.string({ maxLength: 300 }), fc.string({ maxLength: 3_000 }), { maxKeys: 60 });
  fc.assert(
    fc.property(args, (value) => {
      const shown = showArguments(value);
      const isWhole = shown === JSON.stringify(value, null, 2);
      return shown.length < 2_600 && (isWhole || shown.includes('not shown'));
    }),
  );
});
