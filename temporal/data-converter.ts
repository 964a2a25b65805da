import type { DataConverter } from '@temporalio/common';
import { ExternalStorage } from '@temporalio/common';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import { createValueDrivers } from './stored-values';

export interface DataConverterOptions {
  /** Where values that travel by reference are kept. */
  readonly blobs: BlobStore;
  /** Id of the namespace that the values belong to; asked for when the first one is stored. */
  readonly namespaceId: () => string;
  /** Values above this are stored there, bytes. */
  readonly threshold: number;
}

/**
 * How values cross the engine: as JSON, the large ones by reference. Every process of one deployment needs the
 * same store.
 */
export function createDataConverter({ blobs, namespaceId, threshold }: DataConverterOptions): DataConverter {
  const drivers = createValueDrivers(blobs, namespaceId);
  return {
    externalStorage: new ExternalStorage({
      drivers: [...drivers],
      driverSelector: () => drivers[0],
      payloadSizeThreshold: threshold,
    }),
  };
}
