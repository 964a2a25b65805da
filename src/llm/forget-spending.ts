import type { DocumentStore } from '../stores/documents';
import { SPENDING_COLLECTION } from './spending-ledger';

/**
 * Removes what a user has spent, in all sessions and periods.
 * @param user the pseudonym
 * @throws HoldfastError `STORE_UNAVAILABLE` (retryable); the signal's reason
 */
export async function forgetSpending(
  documents: Pick<DocumentStore, 'list' | 'write'>,
  user: string,
  signal: AbortSignal,
): Promise<void> {
  const prefix = `${user}/`;
  for (;;) {
    signal.throwIfAborted();
    const page = await documents.list(SPENDING_COLLECTION, { after: prefix, limit: PAGE });
    const keys = page.map(({ key }) => key).filter((key) => key.startsWith(prefix));
    if (keys.length === 0) return;
    await documents.write(
      keys.map((key) => ({ type: 'delete' as const, collection: SPENDING_COLLECTION, key })),
    );
  }
}

/** How many accounts are removed at once. */
const PAGE = 100;
