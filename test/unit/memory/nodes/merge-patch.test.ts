import fc from 'fast-check';
import { mergePatch, withDefaults } from '../../../../src/memory/nodes/merge-patch';

type Json = Record<string, unknown>;

describe('a partial change of an object', () => {
  // The examples of RFC 7396, appendix A, as far as both are objects.
  it.each<[Json, Json, Json]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j and %j give %j', (current, patch, expected) => {
    expect(mergePatch(current, patch)).toEqual(expected);
  });

  it('says nothing with undefined, and keeps null in an array', () => {
    expect(mergePatch({ a: 1 }, { a: undefined, b: [null] })).toEqual({ a: 1, b: [null] });
  });

  it('takes the place of what is no object', () => {
    expect(mergePatch({ a: [1], b: null, c: 'x' }, { a: { x: 1 }, b: { x: 1 }, c: { x: 1 } })).toEqual({
      a: { x: 1 },
      b: { x: 1 },
      c: { x: 1 },
    });
  });

  it('takes names of prototypes for names', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"x":1}}') as Json;
    const merged = mergePatch({}, patch);
    expect(Object.keys(merged)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('changes neither, has what the patch says, and is the same the second time', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(object, object, (current, patch) => {
        const before = JSON.stringify([current, patch]);
        const merged = mergePatch(current, patch);
        expect(JSON.stringify([current, patch])).toBe(before);
        expect(mergePatch(merged, patch)).toEqual(merged);
        expect(mergePatch(current, {})).toEqual(current);
        for (const name of Object.keys(patch)) expect(Object.hasOwn(merged, name)).toBe(patch[name] !== null);
      }),
    );
  });
});

test('a new object keeps its nulls, except those that leave out an optional field', () => {
  const given = { foo: { a: null, b: [null] }, bar: null, location: null, source: 'note' };
  expect(withDefaults({ source: 'user', tags: [] }, given)).toEqual({
    foo: { a: null, b: [null] },
    bar: null,
    source: 'note',
    tags: [],
  });
});
