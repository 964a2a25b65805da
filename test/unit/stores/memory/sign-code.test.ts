import * as fc from 'fast-check';
import { signCode } from '../../../../src/stores/sqlite/memory/sign-code';

function differingBits(one: Buffer, other: Buffer): number {
  let bits = 0;
  for (const [index, byte] of one.entries()) {
    for (let left = byte ^ (other[index] ?? 0); left > 0; left >>= 1) bits += left & 1;
  }
  return bits;
}

function angle(one: Float32Array, other: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array): number =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
  return Math.acos(dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)));
}

describe('the code of a vector', () => {
  it.each([
    [8, 256],
    [256, 256],
    [384, 512],
    [768, 1_024],
    [1_536, 2_048],
  ])('of %i dimensions has %i bits', (dimensions, bits) => {
    expect(signCode(new Float32Array(dimensions).fill(1)).length * 8).toBe(bits);
  });

  // Files store codes, so a different code for the same vector would make every search in them wrong.
  it('never changes', () => {
    const vector = Float32Array.from({ length: 16 }, (_, index) => Math.sin(index + 1));
    expect(signCode(vector).toString('hex')).toMatchInlineSnapshot(
      `"b0095cc728d6f01de20e6969a22af22da99e7107f32f40140f704d744bf5f88f"`,
    );
  });

  it('tells the angle between any two vectors, sparse ones included', () => {
    const dense = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 768, maxLength: 768 });
    const sparse = fc.array(fc.tuple(fc.nat({ max: 767 }), fc.double({ min: 0.5, max: 1, noNaN: true })), {
      minLength: 3,
      maxLength: 20,
    });
    const vector = fc.oneof(
      dense.map((values) => Float32Array.from(values)),
      sparse.map((entries) => {
        const values = new Float32Array(768);
        for (const [index, value] of entries) values[index] = value;
        return values;
      }),
    );
    fc.assert(
      fc.property(vector, vector, (one, other) => {
        fc.pre([one, other].every((values) => values.some((value) => Math.abs(value) > 0.01)));
        const estimate = (differingBits(signCode(one), signCode(other)) / 1_024) * Math.PI;
        expect(Math.abs(estimate - angle(one, other))).toBeLessThan(0.35);
      }),
      { numRuns: 60 },
    );
  });
});
