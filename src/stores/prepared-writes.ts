import type { DocumentWrite, PutDocument } from './documents';
import { checkKey } from './keys';

/** A write that was checked, with everything worked out that needs no store. */
export interface PreparedWrite {
  readonly collection: string;
  readonly key: string;
  /** JSON text; undefined: delete. */
  readonly value: string | undefined;
  readonly ifVersion: number | undefined;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/**
 * The rules for a batch that every adapter applies.
 * Throws `VALIDATION` for a key, `TypeError` for a value that is no JSON, `RangeError` for an expiry that is no
 * time, and `Error` where a document is named twice.
 */
export function prepareWrites(writes: readonly DocumentWrite[]): PreparedWrite[] {
  const prepared = writes.map(prepare);
  requireDistinct(writes);
  return prepared;
}

function prepare(write: DocumentWrite): PreparedWrite {
  checkKey(write.key);
  const put = write.type === 'put';
  return {
    collection: write.collection,
    key: write.key,
    value: put ? toText(write) : undefined,
    ifVersion: write.ifVersion,
    expiresAt: put ? expiryOf(write) : null,
  };
}

function toText({ collection, key, value }: PutDocument): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`The value of ${collection}/${key} is not JSON`);
  return text;
}

function expiryOf({ collection, key, expiresAt }: PutDocument): number | null {
  if (expiresAt === undefined) return null;
  if (!Number.isFinite(expiresAt)) throw new RangeError(`The expiry of ${collection}/${key} is not a time`);
  return Math.ceil(expiresAt);
}

function requireDistinct(writes: readonly DocumentWrite[]): void {
  if (writes.length < 2) return;
  const named = new Set<string>();
  for (const { collection, key } of writes) {
    const name = documentName(collection, key);
    if (named.has(name)) throw new Error(`A batch names ${collection}/${key} twice`);
    named.add(name);
  }
}

/** One text for a document: a collection is named in code and has no NUL in it, so no two documents share it. */
export function documentName(collection: string, key: string): string {
  return `${collection}\0${key}`;
}
