import type { DocumentWrite, PutDocument } from './documents';
import { checkKey } from './keys';

/** A write that was checked and converted, as far as that needs no store. */
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
 * Checks a batch by the rules that every adapter applies, and prepares its writes.
 * Throws `VALIDATION` for an invalid key, `TypeError` for a value that is not JSON, `RangeError` for an expiry that is not a
 * time, and `Error` if the batch names a document twice.
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
    expiresAt: put ? parseExpiry(write) : null,
  };
}

function toText({ collection, key, value }: PutDocument): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`The value of ${collection}/${key} is not JSON`);
  return text;
}

function parseExpiry({ collection, key, expiresAt }: PutDocument): number | null {
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

/** A text that identifies a document. Collections are named in code and have no NUL, so no two documents have the same text. */
export function documentName(collection: string, key: string): string {
  return `${collection}\0${key}`;
}
