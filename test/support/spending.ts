import type { SpendingLedger } from '../../src/llm/spending-ledger';

/** A ledger for calls that share no limit; it throws if one does. */
export const NO_LEDGER: SpendingLedger = {
  reserve: () => Promise.reject(new Error('no limit is shared')),
};
