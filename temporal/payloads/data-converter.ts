import { type DataConverter, ExternalStorage } from '@temporalio/common';
import type { BlobStore } from '../../src/stores/blobs/blob-store';
import { PLAIN } from '../../src/contracts/runs/external-calls';
import { createValueDrivers } from './stored-values';

/** How much one process writes into the history of a run before it stores all but small values by reference, bytes. */
const INLINE_BYTES = 4 * 1_048_576;
/** Size from which values of such a run are stored by reference, bytes. */
const SMALL_BYTES = 2_048;
/** How many runs are counted at a time. The run that was counted first is forgotten first. */
const MAX_RUNS = 10_000;
/**
 * Counts the bytes that each run has inside its history. The server terminates a run whose history exceeds 50 MB,
 * which a thousand calls with inputs and results of 32 KiB each would reach. A run of ordinary size stays far below
 * INLINE_BYTES.
 */
class InlineAllowance {
  readonly #used = new Map<string, number>();

  /** Whether a value of this size may be inside the history of a run. If so, the value is counted. */
  take(runId: string | undefined, bytes: number): boolean {
    // The run has no id yet, so this is its input, of which there is only one.
    if (runId === undefined) return true;
    const used = (this.#used.get(runId) ?? 0) + bytes;
    if (used > INLINE_BYTES) return false;
    if (!this.#used.has(runId)) this.#forgetFirst();
    this.#used.set(runId, used);
    return true;
  }

  #forgetFirst(): void {
    if (this.#used.size < MAX_RUNS) return;
    const [first] = this.#used.keys();
    if (first !== undefined) this.#used.delete(first);
  }
}

export interface DataConverterOptions {
  /** The store of values that histories hold by reference. */
  readonly blobs: BlobStore;
  /** Returns the id of the namespace that the values belong to. It is called when a value is stored. */
  readonly namespaceId: () => string;
  /** Size from which values are stored there, bytes. Smaller ones are stored too once a run has many of them. */
  readonly threshold: number;
}

/**
 * Creates the converter of all values that go through the engine. It writes them as JSON, and large ones as
 * references to a store, which all processes of a deployment have to share.
 */
export function createDataConverter({ blobs, namespaceId, threshold }: DataConverterOptions): DataConverter {
  const payloadSizeThreshold = Math.min(threshold, SMALL_BYTES);
  const drivers = createValueDrivers(blobs, namespaceId);
  const inline = new InlineAllowance();
  return {
    failureConverterPath: require.resolve('./failure-converter'),
    externalStorage: new ExternalStorage({
      drivers: [...drivers],
      driverSelector({ target }, { data, metadata }) {
        // Another worker cannot read the store.
        if (metadata?.[PLAIN] != null) return null;
        const bytes = data?.length ?? 0;
        const runId = target?.kind === 'workflow' ? target.runId : undefined;
        return bytes < threshold && inline.take(runId, bytes) ? null : drivers[0];
      },
      payloadSizeThreshold,
    }),
  };
}
