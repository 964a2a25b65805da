/** Codes of short vectors are padded to this many bits, so that they estimate angles well enough. */
const MIN_BITS = 256;
const ROUNDS = 2;

/**
 * Computes a vector's code for the coarse pass of a search: the signs of its coordinates after a random rotation, one bit each.
 * The share of bits in which two codes differ estimates the angle between the vectors divided by pi (Charikar, Similarity
 * Estimation Techniques from Rounding Algorithms, 2002). Without the rotation this is true only for vectors whose coordinates
 * are spread around zero; those of a lexical embedder are mostly zeros.
 *
 * The rotation applies random signs and a Walsh-Hadamard transform `ROUNDS` times, with the next power of two as the number of
 * dimensions: O(n log n), 30 µs for 768. Codes are stored in files, so the code of a vector must never change.
 */
export function signCode(vector: Float32Array): Buffer {
  const size = codeBits(vector.length);
  const rotated = new Float32Array(size);
  rotated.set(vector);
  for (let round = 0; round < ROUNDS; round += 1) {
    flipSigns(rotated, round);
    transform(rotated);
  }
  const code = Buffer.alloc(size / 8);
  for (const [index, value] of rotated.entries()) {
    const byte = index >> 3;
    if (value > 0) code.writeUInt8(code.readUInt8(byte) | (1 << (index & 7)), byte);
  }
  return code;
}

function codeBits(dimensions: number): number {
  let bits = MIN_BITS;
  while (bits < dimensions) bits *= 2;
  return bits;
}

/** Flips the signs of some coordinates. Which ones depends only on the round and the index, by the finaliser of MurmurHash3. */
function flipSigns(values: Float32Array, round: number): void {
  for (let index = 0; index < values.length; index += 1) {
    let hash = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    if (((hash ^ (hash >>> 16)) & 1) === 1) values[index] = -(values[index] as number);
  }
}

/** Applies the Walsh-Hadamard transform in place, without normalisation, because only signs are read. */
function transform(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let index = start; index < start + half; index += 1) {
        const [one, other] = [values[index] as number, values[index + half] as number];
        values[index] = one + other;
        values[index + half] = one - other;
      }
    }
  }
}
