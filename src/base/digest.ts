import { createHash } from 'node:crypto';
import { toSortedJson } from './json/sorted';

/** Computes a digest by which JSON values are compared. It does not depend on the order of properties. */
export function computeDigest(asked: unknown): string {
  return createHash('sha256').update(toSortedJson(asked)).digest('hex');
}
