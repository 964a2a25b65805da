import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { apiCallArguments } from '../../../src/templates/step-arguments';

const urlOf = (url: string, params?: unknown): unknown => apiCallArguments({ url, params })['url'];

test.each([
  ['http://h/p', { q: 'a b&c=d/ü' }, 'http://h/p?q=a%20b%26c%3Dd%2F%C3%BC'],
  ['http://h/p', { 'a&b': 1 }, 'http://h/p?a%26b=1'],
  ['http://h/p', { tag: ['x', 'y', null], n: 0, no: false }, 'http://h/p?tag=x&tag=y&n=0&no=false'],
  ['http://h/p', { gone: null, absent: undefined, none: [] }, 'http://h/p'],
  ['http://h/p', { o: { a: 1 } }, 'http://h/p?o=%7B%22a%22%3A1%7D'],
  ['http://h/p?x=1', { y: 2 }, 'http://h/p?x=1&y=2'],
  ['http://h/p?', { y: 2 }, 'http://h/p?y=2'],
  ['http://h/p?x=1&', { y: 2 }, 'http://h/p?x=1&y=2'],
  ['http://h/p#part', { y: 2 }, 'http://h/p?y=2#part'],
  ['http://h/p?x=1#a?b', { y: 2 }, 'http://h/p?x=1&y=2#a?b'],
  ['http://h/p#a?b', { y: 2 }, 'http://h/p?y=2#a?b'],
  ['http://h/p', { empty: '' }, 'http://h/p?empty='],
  ['http://h/p', undefined, 'http://h/p'],
  ['http://h/p', null, 'http://h/p'],
  ['http://h/p', { half: '\ud800' }, 'http://h/p?half=%EF%BF%BD'],
])('%s with %j is %s', (url, params, expected) => {
  expect(urlOf(url, params)).toBe(expected);
});

test('what a server reads from the query is what the parameters said', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: anyCharacter })), (params) => {
      const { searchParams } = new URL(String(urlOf('http://h/', params)));
      const expected = new URLSearchParams(Object.entries(params));
      expect([...searchParams]).toEqual([...expected]);
    }),
  );
});

test('the method is written in capitals, the rest is passed on, and params are no argument', () => {
  expect(
    apiCallArguments({ url: 'http://h', method: 'post', headers: { a: 'b' }, body: { c: 1 }, params: {} }),
  ).toEqual({ url: 'http://h', method: 'POST', headers: { a: 'b' }, body: { c: 1 } });
  // A value of the wrong type is left to the tool's own check, which names it.
  expect(apiCallArguments({ url: 5, method: 6 })).toEqual({ url: 5, method: 6 });
});

test.each([
  ['a text', 'text'],
  ['a list', [1]],
  ['a number', 5],
  ['a boolean', true],
])('params that turn out to be %s are an error that names them', (_kind, params) => {
  expect(() => urlOf('http://h', params)).toThrow(/^config\.params cannot be resolved: an object is needed/);
});
