import { isKnown, readEntityTags } from '../../../../api/http/request-headers';

test('the tags of a header are read one by one, also where a tag has a comma', () => {
  expect(readEntityTags('If-Match', '"a,b" , W/"c"')).toEqual(['"a,b"', 'W/"c"']);
  expect(readEntityTags('If-Match', '*')).toEqual(['*']);
  expect(readEntityTags('If-Match', undefined)).toBeUndefined();
});

test.each(['', 'a', '"a', '"a" "b"', '*, "a"', '"a",', '"ä"'])('%j is refused', (header) => {
  expect(() => readEntityTags('If-Match', header)).toThrow('must be * or entity tags in quotes');
});

test('a tag is known by weak comparison', () => {
  expect(isKnown('"a"', 'W/"a"')).toBe(true);
  expect(isKnown('"a"', '*')).toBe(true);
  expect(isKnown('"a"', '"b", "c"')).toBe(false);
  expect(isKnown('"a"', undefined)).toBe(false);
});

test('a header of many tags without an end is refused at once', () => {
  expect(() => readEntityTags('If-Match', '"a", '.repeat(10_000))).toThrow('entity tags');
});
