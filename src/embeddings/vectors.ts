/** Scales a vector to unit length, in place. A vector of zeros stays unchanged. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(cosine(vector, vector));
  if (length > 0) for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

/** The cosine of two vectors of unit length and the same number of dimensions, -1 to 1. */
export function cosine(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
}
