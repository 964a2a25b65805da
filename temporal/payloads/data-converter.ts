import { type DataConverter, ExternalStorage } from '@temporalio/common';
import type { BlobStore } from '../../src/stores/blobs/blob-store';
import { InlineAllowance, SMALL_BYTES } from './inline-allowance';
import { passSmallValues } from '../sdk-patches/pass-small-values';
import { createValueDrivers } from './stored-values';

export interface DataConverterOptions {
  /** The store of values that histories hold by reference. */
  readonly blobs: BlobStore;
  /** Returns the id of the namespace that the values belong to. It is called when a value is stored. */
  readonly namespaceId: () => string;
  /** Size from which values are stored there, bytes. Smaller ones are stored too once a run has many of them. */
  readonly threshold: number;
  /** Whether the SDK leaves out messages without large values (`pass-small-values.ts`). Default: true. */
  readonly passesSmall?: boolean;
}

/**
 * Creates the converter of all values that go through the engine. It writes them as JSON, and large ones as
 * references to a store, which all processes of a deployment have to share.
 */
export function createDataConverter({
  blobs,
  namespaceId,
  threshold,
  passesSmall = true,
}: DataConverterOptions): DataConverter {
  const payloadSizeThreshold = Math.min(threshold, SMALL_BYTES);
  if (passesSmall) passSmallValues(payloadSizeThreshold);
  const drivers = createValueDrivers(blobs, namespaceId);
  const inline = new InlineAllowance();
  return {
    failureConverterPath: require.resolve('./failure-converter'),
    externalStorage: new ExternalStorage({
      drivers: [...drivers],
      driverSelector({ target }, { data }) {
        const bytes = data?.length ?? 0;
        const runId = target?.kind === 'workflow' ? target.runId : undefined;
        return bytes < threshold && inline.take(runId, bytes) ? null : drivers[0];
      },
      payloadSizeThreshold,
    }),
  };
}
