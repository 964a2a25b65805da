import { jsonLength } from '../../../src/contracts/json-length';
import { lazyJson, lazyLength, writeWithLazy } from '../../../src/contracts/large-json';

const utf8 = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const VALUES = [
  {},
  [],
  { a: 1, b: [true, null, 'x'], c: { d: 'ä€😀"\\\n' } },
  [1, [2, [3]], { deep: { er: [] } }, '\ud800'],
  JSON.parse('{"__proto__":{"x":1},"toJSON":5,"then":6,"length":7}') as object,
];

describe('a large value that is parsed only when it is read', () => {
  test.each(VALUES)('is as the parsed value: %j', (value) => {
    const lazy = lazyJson(utf8(value));
    expect(Array.isArray(lazy)).toBe(Array.isArray(value));
    expect(Object.keys(lazy)).toEqual(Object.keys(value));
    expect(Object.entries(lazy)).toEqual(Object.entries(value));
    expect({ ...lazy }).toEqual({ ...value });
    for (const name of Object.keys(value))
      expect((lazy as Record<string, unknown>)[name]).toEqual((value as Record<string, unknown>)[name]);
    expect('a' in lazy).toBe('a' in value);
    expect(JSON.stringify(lazy)).toBe(JSON.stringify(value));
    expect(JSON.stringify({ of: [lazy] })).toBe(JSON.stringify({ of: [value] }));
  });

  test('a list can be walked, mapped and measured', () => {
    const lazy = lazyJson(utf8([3, 1, 2])) as number[];
    expect(lazy.length).toBe(3);
    expect([...lazy]).toEqual([3, 1, 2]);
    expect(lazy.map((n) => n * 2)).toEqual([6, 2, 4]);
    expect(lazy.includes(1)).toBe(true);
    expect(Object.getOwnPropertyNames(lazy)).toEqual(['0', '1', '2', 'length']);
  });

  test.each(VALUES)('has the length of its text: %j', (value) => {
    const length = JSON.stringify(value).length;
    expect(lazyLength(lazyJson(utf8(value)))).toBe(length);
    expect(jsonLength({ of: lazyJson(utf8(value)) })).toBe(jsonLength({ of: value }));
    expect(jsonLength([lazyJson(utf8(value))])).toBe(length + 2);
  });

  test('cannot be changed', () => {
    const lazy = lazyJson(utf8({ a: 1 })) as Record<string, unknown>;
    expect(() => (lazy['a'] = 2)).toThrow(TypeError);
    expect(lazy).toEqual({ a: 1 });
  });

  test('its text is neither parsed nor written again where it is only passed on', () => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      const lazy = lazyJson(utf8({ a: 'large "quoted" ä' }));
      const parts = writeWithLazy({ first: lazy, plain: 'mark 0', list: [lazy, 1] }, (n) => `mark ${n}`);
      expect(Buffer.concat(parts ?? []).toString()).toBe(
        '{"first":{"a":"large \\"quoted\\" ä"},"plain":"mark 0","list":[{"a":"large \\"quoted\\" ä"},1]}',
      );
      expect(jsonLength(lazy)).toBeGreaterThan(0);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  test('a value without one is left to others', () => {
    expect(writeWithLazy({ a: 1 }, () => 'mark')).toBeUndefined();
    expect(writeWithLazy(undefined, () => 'mark')).toBeUndefined();
  });
});
