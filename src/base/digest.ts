import { createHash } from 'node:crypto';

/** Computes a digest by which JSON values are compared. It does not depend on the order of properties. */
export function computeDigest(asked: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(asked)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, sorted(item)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
