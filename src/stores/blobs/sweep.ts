import type { BlobStore } from './blob-store';

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
