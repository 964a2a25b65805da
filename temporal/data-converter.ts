import type { DataConverter } from '@temporalio/common';
import { ExternalStorage } from '@temporalio/common';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import { InlineAllowance, SMALL_BYTES } from './inline-allowance';
import { createValueDrivers } from './stored-values';

export interface DataConverterOptions {
  /** Where values that travel by reference are kept. */
  readonly blobs: BlobStore;
  /** Id of the namespace that the values belong to; asked for when the first one is stored. */
  readonly namespaceId: () => string;
  /** Values above this are stored there, bytes. Smaller ones are too, once a run has many of them. */
  readonly threshold: number;
}

/**
 * How values cross the engine: as JSON, the large ones by reference. Every process of one deployment needs the
 * same store.
 */
export function createDataConverter({ blobs, namespaceId, threshold }: DataConverterOptions): DataConverter {
  const drivers = createValueDrivers(blobs, namespaceId);
  const inline = new InlineAllowance();
  return {
    externalStorage: new ExternalStorage({
      drivers: [...drivers],
      driverSelector({ target }, { data }) {
        const bytes = data?.length ?? 0;
        const runId = target?.kind === 'workflow' ? target.runId : undefined;
        return bytes < threshold && inline.take(runId, bytes) ? null : drivers[0];
      },
      payloadSizeThreshold: Math.min(threshold, SMALL_BYTES),
    }),
  };
}
