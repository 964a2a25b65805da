import { withDefaults } from '../../../../src/memory/nodes/memory-inputs';

test('a new object keeps its nulls, except those that leave out an optional field', () => {
  const given = { foo: { a: null, b: [null] }, bar: null, location: null, source: 'note' };
  expect(withDefaults({ source: 'user', tags: [] }, given)).toEqual({
    foo: { a: null, b: [null] },
    bar: null,
    source: 'note',
    tags: [],
  });
});
