import type { ExternalStorage, Payload } from '@temporalio/common';
import { ExternalStorageRunner } from '@temporalio/common/lib/internal-non-workflow/external-storage-runner';
import { isReferencePayload } from '@temporalio/common/lib/internal-non-workflow/extstore-helpers';

/** The bytes that a message adds to a field at most, which are tags and lengths. */
const FIELD_BYTES = 32;

let isInstalled = false;

/**
 * Makes the SDK pass values on at once that are neither large nor references. The SDK creates two abort controllers and a
 * joined signal before it looks at the values, which takes about 20 µs each time, and it does so twelve times in a run of
 * one tool. It has no option for this, so this replaces the methods that store and retrieve values.
 */
export function passSmallValues(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { store, retrieve } = ExternalStorageRunner.prototype;
  ExternalStorageRunner.prototype.store = function (payloads, options) {
    const { payloadSizeThreshold } = this['externalStorage'] as ExternalStorage;
    const maySome = payloads.some((payload) => maxBytes(payload) >= payloadSizeThreshold);
    return maySome ? store.call(this, payloads, options) : Promise.resolve(payloads);
  };
  ExternalStorageRunner.prototype.retrieve = function (payloads, options) {
    return payloads.some(isReferencePayload)
      ? retrieve.call(this, payloads, options)
      : Promise.resolve(payloads);
  };
}

/** The size that a value has in a message at most, bytes. Encoding it would give the exact size and cost more. */
function maxBytes({ metadata, data }: Payload): number {
  let bytes = (data?.length ?? 0) + FIELD_BYTES;
  // A character takes up to three bytes.
  for (const [key, value] of Object.entries(metadata ?? {}))
    bytes += key.length * 3 + value.length + FIELD_BYTES;
  return bytes;
}
