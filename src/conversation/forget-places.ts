import { isRunOf, type RunOwner } from '../contracts/runs/run-owner';
import type { DocumentStore } from '../stores/documents';
import { readQueue, type StoredQueue, toStoredQueue } from './session-queue';
import { COLLECTION, FORGOTTEN_AFTER_MS } from './session-order';

export interface ForgetPlacesPorts {
  readonly documents: Pick<DocumentStore, 'list' | 'write'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Removes the places of a user's turns from all sessions. A place names its turn by the user's pseudonym and the caller's
 * `Idempotency-Key`. A queue that another process changes meanwhile is left to the next call.
 * @throws HoldfastError `STORE_UNAVAILABLE` (retryable); the signal's reason
 */
export async function forgetPlaces(
  { documents, now }: ForgetPlacesPorts,
  user: RunOwner,
  signal: AbortSignal,
): Promise<void> {
  for (let after: string | undefined; ;) {
    signal.throwIfAborted();
    const page = await documents.list<StoredQueue>(COLLECTION, after === undefined ? {} : { after });
    for (const { key, value, version } of page) {
      const queue = readQueue(value);
      const otherPlaces = queue.filter(({ workflowId }) => !isRunOf(user, workflowId));
      if (otherPlaces.length === queue.length) continue;
      // The queue is not deleted, because versions distinguish its states only as long as the document exists.
      const left = toStoredQueue(otherPlaces);
      const expiresAt = now() + FORGOTTEN_AFTER_MS;
      await documents.write([
        { type: 'put', collection: COLLECTION, key, value: left, ifVersion: version, expiresAt },
      ]);
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}
