import type { ErasedMemories } from '../contracts/runs/memory';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { Signer } from '../secrets/signer';
import type { TenantDocuments } from '../stores/documents';
import { type FormerStore, mayHold } from './stores/former-stores';

/** What an erasure did. */
export interface ErasureReport {
  readonly erasureId: string;
  readonly userId: string;
  /** When it began, epoch milliseconds. */
  readonly since: number;
  /** Absent in erasures that an older build began. */
  readonly erased?: ErasedMemories & { readonly runs: number };
  /** The stores from before a change that may still hold memories of the user. They were not erased. */
  readonly formerStores: readonly FormerStore[];
}

/** A statement about an erasure, and the signature by which others can check it. */
export interface ErasureReceipt {
  /** JSON, exactly as it was signed. */
  readonly statement: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

/** Receipts of erasures. They stay after the erasure, and have no name of a user. All methods throw `STORE_UNAVAILABLE`. */
export interface ErasureReceipts {
  /** Issues the receipt of an erasure whose memories are gone. A repeat issues it again. */
  issue(report: ErasureReport): Promise<void>;
  find(erasureId: string): Promise<ErasureReceipt | undefined>;
  /** Builds the keyed hash that stands for a user in receipts. */
  hashOf(userId: string): string;
  readonly publicKey: string;
}

export interface ErasureReceiptsPorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'write'>;
  readonly pseudonyms: Pseudonyms;
  readonly signer: Signer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const COLLECTION = 'erasure-receipts';

export function createErasureReceipts(ports: ErasureReceiptsPorts): ErasureReceipts {
  const { documents, pseudonyms, signer, now } = ports;
  const hashOf = (userId: string): string => pseudonyms('erasure-receipt', userId);
  return {
    async issue({ erasureId, userId, since, erased, formerStores }) {
      const statement = JSON.stringify({
        erasure: erasureId,
        user: hashOf(userId),
        begun: new Date(since).toISOString(),
        ended: new Date(now()).toISOString(),
        erased,
        stores: { erased: 1, notReached: formerStores.filter(mayHold).length },
        formerStores,
        notErased: 'backups made before, and logs',
      });
      const value: ErasureReceipt = { statement, signature: signer.sign(statement) };
      await documents.write([{ type: 'put', collection: COLLECTION, key: erasureId, value }]);
    },
    find: async (erasureId) => (await documents.get<ErasureReceipt>(COLLECTION, erasureId))?.value,
    hashOf,
    publicKey: signer.publicKey,
  };
}
