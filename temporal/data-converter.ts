import type { DataConverter } from '@temporalio/common';
import { ExternalStorage } from '@temporalio/common';
import { createPayloadFolder } from './payload-folder';

export interface DataConverterOptions {
  /** Folder of the values that travel by reference. */
  readonly payloadDir: string;
  /** Id of the namespace that the values belong to; asked for when the first one is stored. */
  readonly namespaceId: () => string;
  /** Values above this are stored there, bytes. */
  readonly threshold: number;
}

/**
 * How values cross the engine: as JSON, the large ones by reference. Every process of one deployment needs the
 * same folder.
 */
export function createDataConverter({
  payloadDir,
  namespaceId,
  threshold,
}: DataConverterOptions): DataConverter {
  return {
    externalStorage: new ExternalStorage({
      drivers: [createPayloadFolder(payloadDir, namespaceId)],
      payloadSizeThreshold: threshold,
    }),
  };
}
