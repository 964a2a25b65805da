import fc from 'fast-check';
import { namesIn, referredTo, toPointerPart, valueAt } from '../../../src/base/json/pointer';

test('a pointer leads to the value under the names of which it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 5 }), (names) => {
      const value = names.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), 'found');
      const pointer = names.map((name) => `/${toPointerPart(name)}`).join('');
      expect(namesIn(pointer)).toEqual(names);
      expect(valueAt(value, pointer)).toBe('found');
    }),
  );
});

test.each([
  ['#', { $defs: { 'a b': 1, list: [2] } }],
  ['#/$defs/a%20b', 1],
  ['#/$defs/list/0', 2],
  ['#/$defs/gone', undefined],
  ['#/$defs/toString', undefined],
  ['#/$defs/100%', undefined],
  ['#anchor', undefined],
  ['https://a.example/schema', undefined],
])('the reference %s within a schema', (reference, expected) => {
  expect(referredTo({ $defs: { 'a b': 1, list: [2] } }, reference)).toEqual(expected);
});
