import { randomFillSync, createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { toSortedJson } from './json/sorted';

const POOL_BYTES = 4_096;

const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Returns a random number from 0 to 1. It takes bytes from a pool, because the library asks for one byte for each
 * character, and a system call for each would cost more than all the rest.
 */
function nextRandom(): number {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  return byte / 256;
}

/** Creates an id that sorts by time: a ULID of 26 characters. */
export function newId(): string {
  return ulid(undefined, nextRandom);
}

/** Computes a digest by which JSON values are compared. It does not depend on the order of properties. */
export function computeDigest(value: unknown): string {
  return createHash('sha256').update(toSortedJson(value)).digest('hex');
}
