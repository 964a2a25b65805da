import type { DataConverter } from '@temporalio/common';
import { ExternalStorage } from '@temporalio/common';
import { createPayloadFolder } from './payload-folder';

export interface DataConverterOptions {
  /** Folder of the values that travel by reference. */
  readonly payloadDir: string;
  /** Values above this are stored there, bytes. */
  readonly threshold: number;
}

/**
 * How values cross the engine: as JSON, the large ones by reference. Every process of one deployment needs the
 * same folder.
 */
export function createDataConverter({ payloadDir, threshold }: DataConverterOptions): DataConverter {
  return {
    externalStorage: new ExternalStorage({
      drivers: [createPayloadFolder(payloadDir)],
      payloadSizeThreshold: threshold,
    }),
  };
}
