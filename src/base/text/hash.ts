/*
 * This function decides the positions of words in stored vectors, so with another one all vectors would have to be
 * computed again. packages/plain-english has a separate copy for its trained model, and the two must not be shared.
 */

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Returns the bucket of a feature, from 0 to `buckets` - 1: FNV-1a, 32 bits, over UTF-16 units (Fowler, Noll and Vo;
 * http://www.isthe.com/chongo/tech/comp/fnv/), folded so that the high bits count as well. Pure.
 */
export function bucketOf(name: string, buckets: number): number {
  let hash = OFFSET_BASIS;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), PRIME);
  return ((hash ^ (hash >>> 15)) >>> 0) % buckets;
}
