import type { DocumentStore } from '../stores/documents';
import { listUnder } from '../stores/list-under';
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
    const page = await listUnder(documents, SPENDING_COLLECTION, prefix, { limit: PAGE });
    if (page.length === 0) return;
    await documents.write(
      page.map(({ key }) => ({ type: 'delete' as const, collection: SPENDING_COLLECTION, key })),
    );
  }
}

/** How many accounts are removed at once. */
const PAGE = 100;
