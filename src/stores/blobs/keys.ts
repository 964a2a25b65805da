import { HoldfastError } from '../../base/errors';
import type { BlobStore } from './blob-store';

/** The names of a key. `.` and `..` are not allowed, because they would lead out of the store. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._:-]+$/;

/** Whether a store of blobs can have written this key. Others lie in a store whose folder or bucket people use too. Pure. */
export function isBlobKey(key: string): boolean {
  return key.split('/').every((name) => NAME.test(name));
}

/**
 * Returns a key or folder unchanged, after a check.
 * @throws HoldfastError `INTERNAL` if it is malformed
 */
export function checkBlobKey(key: string): string {
  if (isBlobKey(key)) return key;
  throw new HoldfastError('INTERNAL', 'The key of a stored value is malformed');
}

/** The folder of a blob. */
export function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

/**
 * Creates a `STORE_UNAVAILABLE` error with details `{ service: 'payloads', reason }`. A caller may see `reason`, so it must not
 * contain a path, an address or a credential; these are in the cause, for the log.
 * @param retryable whether the failure passes with time or an operator can fix it. Default true
 */
export function blobsUnavailable(
  reason: string,
  { cause, retryable = true }: { readonly cause?: unknown; readonly retryable?: boolean } = {},
): HoldfastError {
  return new HoldfastError('STORE_UNAVAILABLE', `The store of large values cannot be used: ${reason}`, {
    details: { service: 'payloads', reason },
    retryable,
    cause,
  });
}

/** The input of a sweep, which removes the blobs that runs left in the store. */
export interface Sweep {
  readonly blobs: BlobStore;
  /** The namespace whose runs' blobs the sweep checks. */
  readonly namespaceId: string;
  /** Whether the engine still has a run with this id. */
  readonly isKnown: (workflowId: string) => Promise<boolean>;
  /** The current time, epoch milliseconds. */
  readonly now: number;
  /** Ends the sweep early. */
  readonly signal?: AbortSignal;
}
