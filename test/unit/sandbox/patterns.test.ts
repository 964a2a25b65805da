import { JSONPathEnvironment } from 'json-p3';
import { useLinearPatterns } from '../../../src/sandbox/patterns';

const environment = new JSONPathEnvironment();
useLinearPatterns(environment);

/** Whether the function finds the pattern in the text. Both are in the document, so that the query needs no escapes. */
function holds(name: 'match' | 'search', text: unknown, pattern: unknown): boolean {
  const document = { list: [text], pattern } as never;
  return environment.query(`$.list[?${name}(@, $.pattern)]`, document).values().length === 1;
}

test.each<[string, string, boolean, boolean]>([
  // pattern, text, match, search
  ['b', 'abc', false, true],
  ['a.c', 'abc', true, true],
  ['a|bc', 'abc', false, true],
  ['(a|abc)', 'abc', true, true],
  ['', '', true, true],
  ['', 'abc', false, true],
  ['a{2,3}', 'aaa', true, true],
  ['[a-c]+', 'cab', true, true],
  ['[^a]', 'b', true, true],
  ['[.]', 'x', false, false],
  ['[.]', '.', true, true],
  ['[\\].]', '.', true, true],
  ['\\.', 'x', false, false],
  ['\\\\.', '\\x', true, true],
  ['a\\-b', 'a-b', true, true],
  ['\\p{Lu}.*', 'Émile', true, true],
  ['\\P{L}', '1', true, true],
  ['^ab$', 'ab', true, true],
  ['^b', 'ab', false, false],
  ['b$', 'ab\n', false, false],
  ['..', 'a\u{1f600}', true, true],
  ['.', '\u2028', true, true],
  ['.', '\n', false, false],
  ['.', '\r', false, false],
])('%j in %j', (pattern, text, whole, part) => {
  expect([holds('match', text, pattern), holds('search', text, pattern)]).toEqual([whole, part]);
});

test.each([
  ['no I-Regexp', '\\d', '1'],
  ['a look-ahead', '(?=a)a', 'a'],
  ['a reference', '(a)\\1', 'aa'],
  ['not closed', '(a', '(a'],
  ['nested too deeply to parse', '('.repeat(20_000), 'a'],
  ['of a size that would take too much memory', '((a{100}){100}){100}', 'a'],
])('a pattern that is %s finds nothing', (_, pattern, text) => {
  for (const name of ['match', 'search'] as const) expect(holds(name, text, pattern)).toBe(false);
});

test.each([
  [1, '1'],
  ['1', 1],
  [null, 'null'],
  [['a'], 'a'],
])('%j and %j find nothing, because both have to be texts', (text, pattern) => {
  for (const name of ['match', 'search'] as const) expect(holds(name, text, pattern)).toBe(false);
});

test('more patterns than are kept are each applied as they are', () => {
  const list = Array.from({ length: 100 }, (_, index) => ({ text: `x${index}`, pattern: `x${index}` }));
  expect(environment.query('$[?match(@.text, @.pattern)]', list).values()).toEqual(list);
  expect(environment.query('$[?match("x1", @.pattern)]', list).values()).toEqual([list[1]]);
});
