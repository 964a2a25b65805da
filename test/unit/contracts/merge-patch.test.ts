import fc from 'fast-check';
import { isJsonObject } from '../../../src/contracts/json';
import { mergePatch } from '../../../src/contracts/merge-patch';

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

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString', '0', '');
/** JSON whose few names overlap. A patch cannot set null within an object, so null is left out. */
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, 'x', true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((fields) => Object.fromEntries(fields) as unknown),
  ),
}));

/** The patch that turns one value into another. */
function patchBetween(from: unknown, to: unknown): unknown {
  if (!isJsonObject(to)) return to;
  const before = isJsonObject(from) ? from : {};
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(to, key));
  return Object.fromEntries([
    ...removed.map((key) => [key, null] as const),
    ...Object.entries(to).map(([key, item]) => [
      key,
      patchBetween(Object.hasOwn(before, key) ? before[key] : undefined, item),
    ]),
  ]);
}

test('the patch between two objects turns one into the other, whatever their names are', () => {
  fc.assert(
    fc.property(anyValue, anyValue, (from, to) => {
      const patch = { value: patchBetween(from, to) };
      expect(mergePatch({ value: from }, patch)).toEqual({ value: to });
      expect({}).not.toHaveProperty('a');
    }),
  );
});
