import type { BlobStore } from './blob-store';

/** A look through what runs have left in the store. */
export interface Sweep {
  readonly blobs: BlobStore;
  /** Only what belongs to this namespace's runs is looked at. */
  readonly namespaceId: string;
  /** Whether the engine still has a run of this id. */
  readonly isKnown: (workflowId: string) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Ends the sweep early. */
  readonly signal?: AbortSignal;
}
