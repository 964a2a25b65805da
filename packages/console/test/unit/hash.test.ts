import { formatHash, parseHash, withChanges } from '../../src/hash';

test.each([
  ['', { pane: '', params: {} }],
  ['#/', { pane: '', params: {} }],
  ['#/runs', { pane: 'runs', params: {} }],
  ['#/runs?status=failed&step=a%5B0%5D', { pane: 'runs', params: { status: 'failed', step: 'a[0]' } }],
  ['#/runs?q=a%3Fb&empty=', { pane: 'runs', params: { q: 'a?b' } }],
])('reads %s', (hash, place) => {
  expect(parseHash(hash)).toEqual(place);
});

test('writes what it reads, whatever the values are', () => {
  const place = { pane: 'runs', params: { step: 'each[3] & "<b>"', user: 'ü?#/%' } };
  expect(parseHash(formatHash(place))).toEqual(place);
});

test('a change sets, replaces and removes', () => {
  expect(withChanges({ a: '1', b: '2', c: '3' }, { a: undefined, b: '4', c: '', d: '5' })).toEqual({
    b: '4',
    d: '5',
  });
});
