import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { decodeReferencePayload, isReferencePayload } from '../sdk-patches/stored-values';
import type { StoredJson } from './stored-json';
import type { ValueDriver } from './stored-values';

type AnyPayload = temporal.api.common.v1.IPayload;

/** Values from this size on are not read into memory as a whole if that can be avoided, bytes. */
export const LARGE_BYTES = 1_048_576;

/**
 * Opens a large value of a history without reading all of it.
 * @returns undefined for a value that is inside the history, that is small, or that is not JSON
 * @throws the error of the store if it cannot be read
 */
export async function openLarge(
  { options }: Client,
  payload: AnyPayload | null | undefined,
  minBytes = LARGE_BYTES,
): Promise<StoredJson | undefined> {
  if (payload == null || !isReferencePayload(payload)) return undefined;
  const { driverName, claimData, sizeBytes } = decodeReferencePayload(payload);
  if (sizeBytes < minBytes) return undefined;
  const driver = options.loadedDataConverter.externalStorage?.getDriver(driverName);
  return driver != null && 'open' in driver ? (driver as ValueDriver).open(claimData) : undefined;
}
